# exit: 1
# stderr: credence: object_labels.npz:y: expected one label a node: whole numbers or names of shape \[nodes\], found objects\[12\] (pickled objects cannot be read safely)
credence train object_labels.npz -o out.safetensors
