# exit: 2
# stderr: credence: --reject-by needs --reject-above or --coverage; see 'credence predict --help'
credence predict model.safetensors graph.npz --reject-by aleatoric
