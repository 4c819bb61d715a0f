# exit: 2
# stderr: credence: unknown option --drop (did you mean --dropout\?); see 'credence train --help'
credence train graph.npz -o out.safetensors --drop 0.1
