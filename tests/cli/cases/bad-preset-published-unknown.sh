# exit: 2
# stderr: credence: --preset published: graph.npz is none of the public graphs that are known ('credence fetch --list'); choose a preset by name; see 'credence train --help'
credence train graph.npz -o out.safetensors --preset published
