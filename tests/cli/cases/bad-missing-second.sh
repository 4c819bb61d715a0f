# exit: 2
# stderr: credence: predict needs DATA; see 'credence predict --help'
credence predict model.safetensors
