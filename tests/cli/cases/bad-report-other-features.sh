# exit: 1
# stderr: credence: model.safetensors: the data have 30 features a node, the model was trained on 40
credence report model.safetensors other.npz
