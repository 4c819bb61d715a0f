# exit: 1
# stderr: credence: the data have no node features, which the model vgcn needs
credence train no_features.npz -o out.safetensors --model vgcn
