# exit: 1
# stderr: credence: in.csv: line 2: node 2 does not exist: in.features.csv has 2 nodes, numbered from 0
printf '0,1\n1,2\n' > in.csv
printf '1,2\n3,4\n' > in.features.csv
credence info in.csv --node-features in.features.csv
