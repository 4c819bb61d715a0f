# exit: 2
# stderr: credence: an .npz archive cannot be written to standard output: give a file, or write CSV or JSON lines
credence predict model.safetensors graph.npz --format npz
