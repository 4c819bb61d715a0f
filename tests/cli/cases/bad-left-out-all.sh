# exit: 2
# stderr: credence: --left-out 4 leaves 0 of 4 classes, expected at least 2 to tell apart
credence train graph.npz -o out.safetensors --left-out 4
