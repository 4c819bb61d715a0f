# exit: 1
# stderr: credence: split_negative.npz:val: item 0: node -1 does not exist, expected 0 to 11
credence train ring.npz -o out.safetensors --split-file split_negative.npz
