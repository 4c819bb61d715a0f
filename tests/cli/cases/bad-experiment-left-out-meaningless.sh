# exit: 2
# stderr: credence: --left-out has no meaning for misclassification: all classes are trained; see 'credence experiment --help'
credence experiment misclassification --data graph.npz --left-out 1 --out out
