# exit: 1
# stderr: credence: in.labels.csv: has 2 labels and 1 blank line, but in.features.csv has 4 nodes (an unknown label is written NA)
printf '0,1\n1,2\n2,3\n' > in.csv
printf '1.5,0\n0,1\n1,1\n2,2\n' > in.features.csv
printf 'red\nblue\n\n' > in.labels.csv
credence info in.csv --node-features in.features.csv --labels in.labels.csv
