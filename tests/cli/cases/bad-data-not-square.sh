# exit: 1
# stderr: credence: not_square.npz: the adjacency is 3 x 4, expected a square matrix
credence info not_square.npz
