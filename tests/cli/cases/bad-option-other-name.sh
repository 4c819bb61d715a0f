# exit: 2
# stderr: credence: unknown option --learning-rate (did you mean --lr\?); see 'credence train --help'
credence train graph.npz -o out.safetensors --learning-rate=0.1
