# exit: 2
# stderr: credence: --seeds: 3 is given twice; see 'credence experiment --help'
credence experiment misclassification --data graph.npz --seeds 1-4,3 --out out
