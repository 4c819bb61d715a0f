# exit: 2
# stderr: credence: unknown option --no-dropout (did you mean --dropout\?); see 'credence train --help'
credence train graph.npz -o out.safetensors --no-dropout
