# Nodes called 1, 2, ... have no node 0.
# exit: 2
# stderr: credence: --node: the graph has no node '0' (the first is called '1'); see 'credence explain --help'
printf '1,2\n2,3\n3,4\n4,1\n' > in.csv
printf '1,0\n1,0.5\n0,1\n0.2,1\n' > in.x.csv
printf '1,red\n2,red\n3,blue\n4,blue\n' > in.y.csv
data="in.csv --node-features in.x.csv --labels in.y.csv"
credence train $data --split 50/50/0 -o in.safetensors -q --max-epochs 2
credence explain in.safetensors $data --node 0
