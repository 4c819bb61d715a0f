# exit: 2
# stderr: credence: --seed -1: expected a whole number of at least 0
credence train graph.npz -o out.safetensors --seed -1
