# exit: 1
# stderr: credence: the data have no node features, which the model gpn needs
credence train no_features.npz -o out.safetensors
