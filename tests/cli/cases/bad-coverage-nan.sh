# exit: 2
# stderr: credence: --coverage: expected a finite number, found 'nan'; see 'credence predict --help'
credence predict model.safetensors graph.npz --coverage nan
