# exit: 2
# stderr: credence: --nodes: expected test or all, found 'some'; see 'credence evaluate --help'
credence evaluate model.safetensors graph.npz --nodes some
