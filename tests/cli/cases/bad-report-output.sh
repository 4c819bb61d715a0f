# exit: 1
# stderr: credence: no/where.html: cannot write: *
credence report model.safetensors graph.npz -o no/where.html
