# exit: 1
# stderr: credence: in.mtx: line 1: expected "matrix", found 'tensor'
printf '%%%%MatrixMarket tensor coordinate pattern general\n3 3 1\n1 2\n' > in.mtx
credence info in.mtx
