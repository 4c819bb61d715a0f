# exit: 2
# stderr: credence: --models 'gpn,': a name is empty; see 'credence experiment --help'
credence experiment misclassification --data graph.npz --models gpn, --out out
