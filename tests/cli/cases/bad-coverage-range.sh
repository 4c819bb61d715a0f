# exit: 2
# stderr: credence: --coverage: expected a fraction from 0 to 1, found '1.5'; see 'credence predict --help'
credence predict model.safetensors graph.npz --coverage 1.5
