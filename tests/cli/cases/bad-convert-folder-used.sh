# exit: 1
# stderr: credence: in.folder: the folder is not empty (it holds 'file'); expected a new or empty one
mkdir in.folder
: > in.folder/file
credence convert graph.npz in.folder --to csv
