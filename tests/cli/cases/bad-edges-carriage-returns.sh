# exit: 1
# stderr: credence: in.csv: line 1: holds a carriage return that ends no line, expected lines that end in LF or CR LF
printf '0,1\r1,2\r2,0\r' > in.csv
credence info in.csv
