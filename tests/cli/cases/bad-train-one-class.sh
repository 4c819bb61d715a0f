# exit: [12]
# stderr: credence: --left-out 0 leaves 1 of 1 classes, expected at least 2 to tell apart
credence train one_class.npz -o out.safetensors
