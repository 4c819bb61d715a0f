# exit: 2
# stderr: credence: --seeds: expected how many *, found '0'; see 'credence experiment --help'
credence experiment misclassification --data graph.npz --seeds 0 --out out
