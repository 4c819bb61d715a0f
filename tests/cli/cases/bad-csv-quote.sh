# exit: 1
# stderr: credence: in.csv: line 2: a quoted field is never closed
printf '0,1\n"1,2\n' > in.csv
credence info in.csv
