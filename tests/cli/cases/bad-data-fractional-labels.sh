# exit: 1
# stderr: credence: fractional_labels.npz:y: label 1 is 0.5, expected a whole number
credence info fractional_labels.npz
