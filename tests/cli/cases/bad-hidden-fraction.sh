# exit: 2
# stderr: credence: --hidden 1.5: expected a whole number from 1 to 65536
credence train graph.npz -o out.safetensors --hidden 1.5
