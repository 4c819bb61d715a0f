# exit: 2
# stderr: credence: --task: expected ood or misclassification, found 'both'; see 'credence evaluate --help'
credence evaluate model.safetensors graph.npz --task both
