# exit: 2
# stderr: credence: --set reg-weight: none of the models makes use of it; see 'credence experiment --help'
credence experiment misclassification --data graph.npz --set reg-weight=3 --models gpn --out out
