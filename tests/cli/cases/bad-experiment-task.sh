# exit: 2
# stderr: credence: unknown task 'odd' (did you mean ood?); see 'credence experiment --help'
credence experiment odd --data graph.npz --out out
