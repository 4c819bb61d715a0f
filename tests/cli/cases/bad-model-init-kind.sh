# exit: 1
# stderr: credence: the initial weights are of the model gpn, expected vgcn
credence train graph.npz -o out.safetensors -q --model vgcn --init model.safetensors
