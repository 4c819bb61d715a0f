# exit: 2
# stderr: credence: --reject-by: expected aleatoric, epistemic or epistemic_features, found 'entropy'; see 'credence predict --help'
credence predict model.safetensors graph.npz --coverage 0.9 --reject-by entropy
