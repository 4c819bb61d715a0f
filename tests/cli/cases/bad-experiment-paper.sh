# exit: 2
# stderr: credence: none of the models applies to any of the data; see 'credence experiment --help'
credence experiment misclassification --data graph.npz --models paper --out out
