# exit: 1
# stderr: credence: fractional_edges.npz:edges: item \[0,1\] is 0.5, expected a whole number from -2^31 to 2^31 - 1
credence info fractional_edges.npz
