# exit: 2
# stderr: credence: --data: standard input can be read once only, give a file; see 'credence experiment --help'
credence experiment misclassification --data - --out out
