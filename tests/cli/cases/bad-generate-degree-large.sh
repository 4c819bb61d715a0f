# exit: 2
# stderr: credence: generate: nodes x degree is 8589934588, expected 4000000000 at most (more would hardly fit in memory)
credence generate -o out.npz --nodes 2147483647 --degree 4
