# exit: 1
# stderr: credence: huge_index.npz:edges: item \[3,1\] is 1099511627776, expected a whole number from -2^31 to 2^31 - 1
credence info huge_index.npz
