# exit: 1
# stderr: credence: cut.npz: cannot open as a zip archive (.npz): Not a zip archive
credence info cut.npz
