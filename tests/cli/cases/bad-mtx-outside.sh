# exit: 1
# stderr: credence: in.mtx: line 3: entry (1, 4) is outside the declared 3 rows and 3 columns
printf '%%%%MatrixMarket matrix coordinate pattern general\n3 3 1\n1 4\n' > in.mtx
credence info in.mtx
