# exit: 1
# stderr: credence: empty_archive.npz: has no graph; expected the arrays adj_indptr and adj_indices, or edge_index
credence info empty_archive.npz
