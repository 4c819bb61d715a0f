# exit: 2
# stderr: credence: unknown option --zzzzzz; see 'credence info --help'
credence info graph.npz --zzzzzz
