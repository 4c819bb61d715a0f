# exit: 2
# stderr: credence: unknown model 'gpm' (did you mean gpn?); see 'credence experiment --help'
credence experiment misclassification --data graph.npz --models default,gpm --out out
