# exit: 1
# stderr: credence: no_graph.npz: has no graph; expected the arrays adj_indptr and adj_indices, or edge_index
credence info no_graph.npz
