# exit: 1
# stderr: credence: nowhere/out.csv: cannot write: folder nowhere: No such file or directory
credence predict model.safetensors graph.npz -o nowhere/out.csv
