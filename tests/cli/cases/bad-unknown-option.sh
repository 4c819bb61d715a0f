# exit: 2
# stderr: credence: unknown option --dropuot (did you mean --dropout\?); see 'credence train --help'
credence train graph.npz -o out.safetensors --dropuot 0.1
