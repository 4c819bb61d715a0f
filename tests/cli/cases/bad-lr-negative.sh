# exit: 2
# stderr: credence: --lr -0.1: expected a number from 1e-12 to 1000000
credence train graph.npz -o out.safetensors --lr -0.1
