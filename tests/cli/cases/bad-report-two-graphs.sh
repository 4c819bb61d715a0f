# exit: 2
# stderr: credence: two graphs, graph.npz and other.npz: *
credence report model.safetensors graph.npz other.npz
