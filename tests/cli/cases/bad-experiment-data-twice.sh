# exit: 2
# stderr: credence: --data: ./graph.npz is the same graph as graph; see 'credence experiment --help'
credence experiment misclassification --data graph.npz,./graph.npz --models gpn --out out
