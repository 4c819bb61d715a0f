# exit: 2
# stderr: credence: unknown model 'transformer', expected lp, gkde, appnp, *; see 'credence experiment --help'
credence experiment misclassification --data graph.npz --models transformer --out out
