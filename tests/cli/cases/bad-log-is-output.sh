# exit: 2
# stderr: credence: --log and --output are the same file; see 'credence train --help'
credence train graph.npz -o out.safetensors --log ./out.safetensors
