# exit: 1
# stderr: credence: in.features.csv: line 2, column 2: expected a number, found 'x'
printf '0,1\n1,2\n' > in.csv
printf '1,2\n3,x\n5,6\n' > in.features.csv
credence info in.csv --node-features in.features.csv
