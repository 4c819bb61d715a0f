# exit: 2
# stderr: credence: only one of model, log and JSON can go to standard output; see 'credence train --help'
credence train graph.npz -o - --json
