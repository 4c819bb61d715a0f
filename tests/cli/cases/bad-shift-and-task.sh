# exit: 2
# stderr: credence: --shift is a task of its own and contradicts --task; see 'credence evaluate --help'
credence evaluate model.safetensors graph.npz --shift normal:0.5 --task ood
