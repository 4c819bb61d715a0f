# exit: 1
# stderr: credence: the data have 30 features a node, the model was trained on 40
credence map model.safetensors other.npz -o a.csv
