# exit: 1
# stderr: credence: in.csv: holds no split, expected .npz with train, val and test, or rows of node,split
: > in.csv
credence train ring.npz -o out.safetensors --split-file in.csv
