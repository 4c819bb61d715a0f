# exit: 2
# stderr: credence: --seeds: expected how many (10), a range (11-15) or a list (1,4,7) of at most 100000 seeds, found '5-3'; see 'credence experiment --help'
credence experiment misclassification --data graph.npz --seeds 5-3 --out out
