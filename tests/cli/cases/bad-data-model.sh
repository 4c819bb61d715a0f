# exit: 1
# stderr: credence: model.safetensors: is a model (safetensors), expected a graph
credence convert model.safetensors out.npz
