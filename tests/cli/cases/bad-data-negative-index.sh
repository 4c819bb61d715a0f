# exit: 1
# stderr: credence: negative_index.npz:edges: edge 3 has the negative node number -1
credence info negative_index.npz
