# exit: 2
# stderr: credence: --iterations: expected *
credence map model.safetensors graph.npz --iterations 0 -o a.csv
