# exit: 1
# stderr: credence: the graph has no edges (self-loops do not count), along which the model gkde spreads what it knows
printf '0,0\n1,1\n2,2\n3,3\n' > in.csv
printf 'a\nb\na\nb\n' > in.labels.csv
credence train in.csv --labels in.labels.csv -o out.safetensors --model gkde --split 50/0/50
