# exit: 1
# stderr: credence: other.npz: is a file, expected a folder or a new name
credence experiment misclassification --data graph.npz --models gpn --out other.npz
