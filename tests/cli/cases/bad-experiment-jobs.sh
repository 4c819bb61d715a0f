# exit: 2
# stderr: credence: --jobs: expected a whole number from 1 to 1024, found '0'; see 'credence experiment --help'
credence experiment misclassification --data graph.npz --jobs 0 --out out
