# exit: 2
# stderr: credence: --models paper: the paper has no choice of options for graph; see 'credence experiment --help'
credence experiment misclassification --data graph.npz --models paper --out out
