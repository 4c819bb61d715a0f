# exit: 2
# stderr: credence: --reject-above: expected a finite number, found 'inf'; see 'credence predict --help'
credence predict model.safetensors graph.npz --reject-above inf
