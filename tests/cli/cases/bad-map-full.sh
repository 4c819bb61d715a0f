# exit: 1
# stderr: credence: standard output: cannot write: No space left on device
credence map model.safetensors graph.npz --iterations 5 > /dev/full
