# exit: 1
# stderr: credence: split_outside.npz:val: item 1: node 12 does not exist, expected 0 to 11
credence train ring.npz -o out.safetensors --split-file split_outside.npz
