# exit: 2
# stderr: credence: experiment needs --out; see 'credence experiment --help'
credence experiment misclassification --data graph.npz
