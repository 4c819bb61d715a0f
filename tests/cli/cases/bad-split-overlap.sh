# exit: 1
# stderr: credence: split_overlap.npz:val: item 0: node 4 is named twice, as train and as validation
credence train ring.npz -o out.safetensors --split-file split_overlap.npz
