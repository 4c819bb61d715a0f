# exit: 1
# stderr: credence: graph: the split 50/50/0 leaves no test nodes to measure on
credence experiment misclassification --data graph.npz --models gpn --split 50/50/0 --out out
