# exit: 2
# stderr: credence: --output needs a value (MODEL), and '--quiet' looks like an option; write --output=--quiet to mean it; see 'credence train --help'
credence train graph.npz -o --quiet
