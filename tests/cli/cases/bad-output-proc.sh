# exit: 1
# stderr: credence: /proc/out.safetensors: cannot write: folder /proc: *
credence train graph.npz -o /proc/out.safetensors
