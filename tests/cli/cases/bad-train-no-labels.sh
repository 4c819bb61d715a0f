# exit: 1
# stderr: credence: no node has a label: there is nothing to split
credence train no_labels.npz -o out.safetensors
