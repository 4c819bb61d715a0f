# exit: 2
# stderr: credence: --shifts has no meaning for ood; see 'credence experiment --help'
credence experiment ood --data graph.npz --models gpn --out out --shifts normal:0.1
