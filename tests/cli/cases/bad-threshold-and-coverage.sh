# exit: 2
# stderr: credence: --reject-above and --coverage contradict each other; see 'credence predict --help'
credence predict model.safetensors graph.npz --reject-above -1 --coverage 0.5
