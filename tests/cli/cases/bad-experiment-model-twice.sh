# exit: 2
# stderr: credence: --models: 'gpn' is given twice; see 'credence experiment --help'
credence experiment misclassification --data graph.npz --models gpn,gpn --out out
