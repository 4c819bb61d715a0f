# exit: 2
# stderr: credence: --set lr=fast: --lr fast: expected a number from *; see 'credence experiment --help'
credence experiment misclassification --data graph.npz --set lr=fast --models gpn --out out
