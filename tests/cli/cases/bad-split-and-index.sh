# exit: 2
# stderr: credence: --split and --split-index contradict each other; see 'credence train --help'
credence train ring.npz -o out.safetensors --split 5/15/80 --split-index 0
