# exit: 1
# stderr: credence: standard input: cannot open as a zip archive (.npz): Not a zip archive
head -c 2000 graph.npz > in.npz
credence info - < in.npz
