# exit: 1
# stderr: credence: in.mtx: ends after 1 of the 2 entries that its sizes declare
printf '%%%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n' > in.mtx
credence info in.mtx
