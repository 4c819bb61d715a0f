# exit: 2
# stderr: credence: train needs --output; see 'credence train --help'
credence train graph.npz
