# exit: 2
# stderr: credence: --threads: expected a whole number from 0 to 1024, found 'many'; see 'credence predict --help'
credence predict model.safetensors graph.npz --threads many
