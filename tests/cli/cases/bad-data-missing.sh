# exit: 1
# stderr: credence: nowhere.npz: cannot open: No such file or directory
credence info nowhere.npz
