# exit: 2
# stderr: credence: model.safetensors: *
credence report model.safetensors graph.npz -o model.safetensors
