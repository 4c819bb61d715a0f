# exit: 2
# stderr: credence: standard output takes npz alone: other formats are folders
credence convert graph.npz - --to csv
