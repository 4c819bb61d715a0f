# exit: 2
# stderr: credence: --shift-nodes has no meaning without --shift-mode isolated; see 'credence evaluate --help'
credence evaluate model.safetensors graph.npz --shift normal:0.5 --shift-nodes 3
