# exit: 2
# stderr: credence: --hidden 99999999999999999999: expected a whole number from 1 to 65536
credence train graph.npz -o out.safetensors --hidden 99999999999999999999
