# exit: 2
# stderr: credence: the split "a/b/c" is not understood: its training part must be a percentage from 0 to 100, a number of nodes per class such as 20n, or "rest"
credence train ring.npz -o out.safetensors --split a/b/c
