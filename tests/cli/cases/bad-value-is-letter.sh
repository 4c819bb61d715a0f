# A switch that follows -o is not a file's name, and no file called -q is written.
# exit: 2
# stderr: credence: --output needs a value (MODEL), and '-q' looks like an option; write --output=-q to mean it; see 'credence train --help'
credence train graph.npz --max-epochs 1 -o -q
