# exit: 2
# stderr: credence: --top: expected a whole number of at least 0, found '-1'; see 'credence explain --help'
credence explain model.safetensors graph.npz --node 1 --top -1
