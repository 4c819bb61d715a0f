# exit: 1
# stderr: credence: in.mtx: line 2: expected the sizes "rows columns entries", rows and columns up to 2147483647, found '99999999999 99999999999 1'
printf '%%%%MatrixMarket matrix coordinate pattern general\n99999999999 99999999999 1\n1 2\n' > in.mtx
credence info in.mtx
