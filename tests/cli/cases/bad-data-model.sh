# exit: 1
# stderr: credence: model.safetensors: is a model (safetensors), expected a graph
credence info model.safetensors
