# exit: 1
# stderr: credence: nowhere/out.safetensors: cannot write: folder nowhere: No such file or directory
credence train graph.npz -o nowhere/out.safetensors
