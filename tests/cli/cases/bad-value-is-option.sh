# exit: 2
# stderr: credence: --output needs a value (MODEL); see 'credence train --help'
credence train graph.npz -o --quiet
