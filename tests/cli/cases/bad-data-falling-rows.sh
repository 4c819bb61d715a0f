# exit: 1
# stderr: credence: falling_rows.npz:adj_indptr: item 2 is 1, less than the one before
credence info falling_rows.npz
