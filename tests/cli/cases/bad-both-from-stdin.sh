# exit: 2
# stderr: credence: only one of model and data can come from standard input; see 'credence predict --help'
credence predict - - < model.safetensors
