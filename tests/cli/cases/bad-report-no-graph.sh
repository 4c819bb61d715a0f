# exit: 1
# stderr: credence: model.safetensors: its graph is none of the public ones: give it too*
credence report model.safetensors
