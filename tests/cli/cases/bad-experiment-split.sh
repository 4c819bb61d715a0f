# exit: 2
# stderr: credence: graph: the split "5/15" is not understood: *
credence experiment misclassification --data graph.npz --models gpn --split 5/15 --out out
