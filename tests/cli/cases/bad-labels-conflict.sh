# exit: 1
# stderr: credence: in.labels.csv: line 4: label 'b' contradicts an earlier label of the same node
printf '0,1\n1,2\n' > in.csv
printf 'node,label\n0,a\n1,b\n0,b\n' > in.labels.csv
credence info in.csv --labels in.labels.csv
