# exit: 1
# stderr: credence: standard output: cannot write: Bad file descriptor
credence info graph.npz >&-
