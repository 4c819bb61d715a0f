# exit: 1
# stderr: credence: standard output: cannot write: No space left on device
credence predict model.safetensors graph.npz > /dev/full
