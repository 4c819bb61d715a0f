# exit: 1
# stderr: credence: huge_label.npz:y: label 7: label '8589934592' is not below the number of nodes: more classes than nodes
credence info huge_label.npz
