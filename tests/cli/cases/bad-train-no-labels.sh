# exit: 1
# stderr: credence: no_labels.npz: no node has a label, so there is nothing to learn; give --labels FILE, or a folder that has everything
credence train no_labels.npz -o out.safetensors
