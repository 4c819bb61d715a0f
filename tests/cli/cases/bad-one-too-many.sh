# exit: 2
# stderr: credence: 'other.npz' is one argument too many; see 'credence info --help'
credence info graph.npz other.npz
