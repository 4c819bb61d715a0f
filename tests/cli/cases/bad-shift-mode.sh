# exit: 2
# stderr: credence: --shift-mode: expected all or isolated, found 'single'; see 'credence evaluate --help'
credence evaluate model.safetensors graph.npz --shift normal:0.5 --shift-mode single
