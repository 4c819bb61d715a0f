# exit: 2
# stderr: credence: --shifts: 'normal:0.1:all' is given twice; see 'credence experiment --help'
credence experiment shift --data graph.npz --models gpn --out out --shifts normal:0.1,normal:0.10:all
