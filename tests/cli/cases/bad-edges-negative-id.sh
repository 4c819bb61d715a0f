# exit: 1
# stderr: credence: in.csv: line 3: expected a node number or name, found '-1'
printf 'source,target\n0,1\n-1,2\n' > in.csv
credence info in.csv
