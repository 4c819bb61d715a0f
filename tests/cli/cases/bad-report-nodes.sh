# exit: 2
# stderr: credence: --nodes: expected test or all, found 'some'*
credence report model.safetensors graph.npz --nodes some
