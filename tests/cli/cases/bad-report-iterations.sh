# exit: 2
# stderr: credence: --iterations: expected a whole number from 1 to 1000000, found '0'*
credence report model.safetensors graph.npz --iterations 0
