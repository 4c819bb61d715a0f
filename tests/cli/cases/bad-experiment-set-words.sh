# exit: 2
# stderr: credence: --set: expected NAME=VALUE,..., found 'fast'; see 'credence experiment --help'
credence experiment misclassification --data graph.npz --set fast --models gpn --out out
