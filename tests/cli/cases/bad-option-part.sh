# exit: 2
# stderr: credence: unknown option --epochs (did you mean --max-epochs?); see 'credence train --help'
credence train graph.npz -o out.safetensors --epochs 3
