# exit: 1
# stderr: credence: in.folder: is a folder without a graph; expected .npy arrays, an edge list (edges.csv), a matrix (graph.mtx), or raw/edge.csv.gz
mkdir in.folder
credence info in.folder
