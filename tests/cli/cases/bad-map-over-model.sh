# exit: 2
# stderr: credence: model.safetensors: *
credence map model.safetensors graph.npz -o model.safetensors
