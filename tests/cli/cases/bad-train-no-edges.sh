# exit: 1
# stderr: credence: the graph has no edges (self-loops do not count), along which the model gpn spreads what it knows
printf '0,0\n1,1\n2,2\n3,3\n' > in.csv
printf '1,0\n0,1\n1,0.5\n0.1,1\n' > in.features.csv
printf 'a\nb\na\nb\n' > in.labels.csv
credence train in.csv --node-features in.features.csv --labels in.labels.csv -o out.safetensors
