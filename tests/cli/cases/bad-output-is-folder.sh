# exit: 1
# stderr: credence: in.folder: is a folder, expected a file to write
mkdir in.folder
credence train graph.npz -o in.folder
