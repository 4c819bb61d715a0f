# exit: 2
# stderr: credence: the output's name is empty
credence train graph.npz -o ''
