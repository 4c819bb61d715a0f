# exit: 2
# stderr: credence: --dropout x: expected a number from 0 to 0.999
credence train graph.npz -o out.safetensors --dropout x
