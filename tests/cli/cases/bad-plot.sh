# exit: 2
# stderr: credence: --plot: expected always, never or auto, found 'sometimes'; see 'credence evaluate --help'
credence evaluate model.safetensors graph.npz --plot sometimes
