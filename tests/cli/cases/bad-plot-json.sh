# exit: 2
# stderr: credence: --plot always and --json contradict each other; see 'credence evaluate --help'
credence evaluate model.safetensors graph.npz --plot always --json
