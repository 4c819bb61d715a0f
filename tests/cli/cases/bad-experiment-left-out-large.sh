# exit: 2
# stderr: credence: graph: has 4 classes and 3 left out, at least 2 are needed for training
credence experiment ood --data graph.npz --models gpn --out out --left-out 3
