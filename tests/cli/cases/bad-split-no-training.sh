# exit: 1
# stderr: credence: class 0 has no training node: each class that is not left out needs at least one
credence train ring.npz -o out.safetensors --split-file split_no_training.npz
