# exit: 1
# stderr: credence: short_labels.npz:y: has 11 nodes, but short_labels.npz:x has 12
credence info short_labels.npz
