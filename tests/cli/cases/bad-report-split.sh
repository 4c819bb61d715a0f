# exit: 1
# stderr: credence: nosplit.csv: *
credence report model.safetensors graph.npz --split-file nosplit.csv
