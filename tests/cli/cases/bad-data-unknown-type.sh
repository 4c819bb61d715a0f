# exit: 1
# stderr: credence: unknown_type.npz:x: cannot read items of type '<q9'; expected numbers (i, u, f), bool or strings (U, S)
credence info unknown_type.npz
