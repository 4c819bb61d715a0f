# exit: 1
# stderr: credence: in.safetensors: *safetensors*
: > in.safetensors
credence report in.safetensors graph.npz
