# exit: 2
# stderr: credence: the split index is 3, but the data carry no split of their own
credence train ring.npz -o out.safetensors --split-index 3
