# exit: 2
# stderr: credence: the model config needs --config FILE; see 'credence experiment --help'
credence experiment misclassification --data graph.npz --models gpn,config --out out
