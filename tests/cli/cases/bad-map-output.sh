# exit: 1
# stderr: credence: nowhere/a.csv: cannot write: folder nowhere: No such file or directory
credence map model.safetensors graph.npz -o nowhere/a.csv
