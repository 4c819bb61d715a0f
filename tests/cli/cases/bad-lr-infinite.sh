# exit: 2
# stderr: credence: --lr inf: expected a number from 1e-12 to 1000000
credence train graph.npz -o out.safetensors --lr inf
