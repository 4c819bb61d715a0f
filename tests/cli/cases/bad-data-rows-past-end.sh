# exit: 1
# stderr: credence: rows_past_end.npz:adj_indptr: ends with 9, but 'adj_indices' has 3 items
credence info rows_past_end.npz
