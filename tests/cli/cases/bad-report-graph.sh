# exit: 1
# stderr: credence: graph.npz: is neither a model file nor *
credence report graph.npz
