# exit: 2
# stderr: credence: --seed has no meaning without --shift; see 'credence evaluate --help'
credence evaluate model.safetensors graph.npz --seed 3
