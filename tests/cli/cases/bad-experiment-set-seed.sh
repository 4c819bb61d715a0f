# exit: 2
# stderr: credence: --set seed: this is what --seeds is for; see 'credence experiment --help'
credence experiment misclassification --data graph.npz --set seed=3 --models gpn --out out
