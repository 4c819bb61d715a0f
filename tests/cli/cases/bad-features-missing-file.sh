# exit: 1
# stderr: credence: nowhere.csv: cannot open: No such file or directory
printf '0,1\n1,2\n' > in.csv
credence info in.csv --node-features nowhere.csv
