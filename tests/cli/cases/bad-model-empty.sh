# exit: 1
# stderr: credence: in.model: is not a safetensors file (it has 0 bytes)
: > in.model
credence predict in.model graph.npz -o out.csv
