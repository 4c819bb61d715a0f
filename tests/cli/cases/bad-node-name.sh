# exit: 2
# stderr: credence: --node: the graph has no node 'nobody' (they are numbered 0 to 149); see 'credence explain --help'
credence explain model.safetensors graph.npz --node nobody
