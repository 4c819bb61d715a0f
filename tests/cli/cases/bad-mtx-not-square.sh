# exit: 1
# stderr: credence: in.mtx: the matrix is 2 x 3, expected a square one: a row and a column a node
printf '%%%%MatrixMarket matrix coordinate pattern general\n2 3 1\n1 3\n' > in.mtx
credence info in.mtx
