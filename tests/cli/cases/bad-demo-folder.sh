# exit: 1
# stderr: credence: graph.npz: is a file, expected a folder for the results
credence demo -o graph.npz
