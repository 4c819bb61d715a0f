# exit: 1
# stderr: credence: in.labels: is a text, expected a model file (safetensors) as 'credence train' writes it; the order is MODEL DATA
printf 'node,label\n0,A\n1,B\n' > in.labels
credence predict in.labels graph.npz
