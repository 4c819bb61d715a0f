# exit: 2
# stderr: credence: --shift normal:0.5:all and --shift-mode isolated contradict each other; see 'credence evaluate --help'
credence evaluate model.safetensors graph.npz --shift normal:0.5:all --shift-mode isolated
