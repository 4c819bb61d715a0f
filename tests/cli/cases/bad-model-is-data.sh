# exit: 1
# stderr: credence: graph.npz: holds NumPy arrays, expected a model (safetensors)
credence predict graph.npz model.safetensors -o out.csv
