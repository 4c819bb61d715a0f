# exit: 1
# stderr: credence: graph.npz: is not a safetensors file*
credence predict graph.npz model.safetensors -o out.csv
