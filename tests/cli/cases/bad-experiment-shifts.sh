# exit: 2
# stderr: credence: --shifts: the shift "rewire" is not understood: expected as amount a fraction above 0, up to 1, such as bernoulli:0.1 or dice:0.2:isolated; see 'credence experiment --help'
credence experiment shift --data graph.npz --models gpn --out out --shifts normal:0.1,rewire
