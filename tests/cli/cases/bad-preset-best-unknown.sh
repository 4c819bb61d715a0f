# exit: 2
# stderr: credence: --preset best: graph.npz is none of the public graphs that are known ('credence fetch --list'); 'credence tune' finds what is best for it; see 'credence train --help'
credence train graph.npz -o out.safetensors --preset best
