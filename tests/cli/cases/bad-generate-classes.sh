# exit: 2
# stderr: credence: generate: classes is 50, expected 1 to 5 (no more classes than nodes)
credence generate -o out.npz --nodes 5 --classes 50
