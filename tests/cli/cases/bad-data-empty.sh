# exit: 1
# stderr: credence: in.npz: the file is empty, expected a graph
: > in.npz
credence info in.npz
