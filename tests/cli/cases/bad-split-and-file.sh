# exit: 2
# stderr: credence: --split and --split-file contradict each other; see 'credence train --help'
credence train ring.npz -o out.safetensors --split 5/15/80 --split-file split_good.npz
