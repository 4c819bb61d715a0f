# exit: 2
# stderr: credence: --nodes all and --split-file contradict each other; see 'credence evaluate --help'
credence evaluate model.safetensors graph.npz --nodes all --split-file split_good.npz
