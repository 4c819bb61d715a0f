# exit: 1
# stderr: credence: none.npz: cannot open: No such file or directory
credence experiment misclassification --data graph.npz,none.npz --models gpn --out out
