# exit: 1
# stderr: credence: edges_shape.npz:edges: expected pairs of node numbers of shape \[2,E\] or \[E,2\], found int64\[8,3\]
credence info edges_shape.npz
