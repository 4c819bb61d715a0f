# exit: 1
# stderr: credence: nowhere.json: cannot open: No such file or directory
credence train graph.npz -o out.safetensors --config nowhere.json
