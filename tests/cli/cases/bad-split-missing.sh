# exit: 1
# stderr: credence: nowhere.csv: cannot open: No such file or directory
credence train ring.npz -o out.safetensors --split-file nowhere.csv
