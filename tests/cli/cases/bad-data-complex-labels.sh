# exit: 1
# stderr: credence: complex_labels.npz:y: cannot read items of type '<c16'; expected numbers (i, u, f), bool or strings (U, S)
credence info complex_labels.npz
