# exit: 1
# stderr: credence: the initial encoder.0.weight has 40 in dimension 1, expected 30 (features, classes, --hidden, --latent and --flow-layers must agree)
credence train other.npz -o out.safetensors --init model.safetensors
