# exit: 2
# stderr: credence: --title is for the model config, which --models does not name; see 'credence experiment --help'
credence experiment misclassification --data graph.npz --models gpn --title Mine --out out
