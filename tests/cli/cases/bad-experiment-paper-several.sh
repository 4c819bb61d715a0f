# exit: 2
# stderr: credence: --models paper: the paper has no choice of options for graph nor for the other data; see 'credence experiment --help'
credence experiment misclassification --data graph.npz,other.npz --models paper --out out
