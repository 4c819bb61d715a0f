# exit: 1
# stderr: credence: in.csv: line 2: expected the two nodes of an edge, found a single field
printf '0,1\n1\n2,0\n' > in.csv
credence info in.csv
