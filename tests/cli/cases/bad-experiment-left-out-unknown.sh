# exit: 2
# stderr: credence: graph: how many classes to leave out is not known, give --left-out N; see 'credence experiment --help'
credence experiment ood --data graph.npz --models gpn --out out
