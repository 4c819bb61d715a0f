# exit: 1
# stderr: credence: no/such: cannot write: folder no: No such file or directory
credence experiment misclassification --data graph.npz --models gpn --out no/such
