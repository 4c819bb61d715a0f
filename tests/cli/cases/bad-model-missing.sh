# exit: 1
# stderr: credence: nowhere.safetensors: cannot open: No such file or directory
credence predict nowhere.safetensors graph.npz -o out.csv
