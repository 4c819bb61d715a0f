# exit: 1
# stderr: credence: graph.npz/out.safetensors: cannot write: Not a directory
credence train graph.npz -o graph.npz/out.safetensors
