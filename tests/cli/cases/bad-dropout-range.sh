# exit: 2
# stderr: credence: --dropout 1.5: expected a number from 0 to 0.999
credence train graph.npz -o out.safetensors --dropout 1.5
