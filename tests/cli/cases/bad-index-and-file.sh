# exit: 2
# stderr: credence: --split-index and --split-file contradict each other; see 'credence train --help'
credence train ring.npz -o out.safetensors --split-index 0 --split-file split_good.npz
