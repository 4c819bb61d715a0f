# exit: 2
# stderr: credence: unknown option -z; see 'credence info --help'
credence info graph.npz -z
