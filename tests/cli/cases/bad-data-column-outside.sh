# exit: 1
# stderr: credence: column_outside.npz:adj_indices: item 1 is 7, expected 0 to 2
credence info column_outside.npz
