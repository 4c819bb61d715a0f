# exit: 2
# stderr: credence: out.csv: such data are a folder of files: give a folder's name and the format (npy, csv, mtx or ogb), or a name that ends in .npz
credence convert graph.npz out.csv
