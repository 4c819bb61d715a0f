# exit: 2
# stderr: credence: --reject-by: expected aleatoric, epistemic, epistemic_features or epistemic_class, found 'entropy'; see 'credence predict --help'
credence predict model.safetensors graph.npz --coverage 0.9 --reject-by entropy
