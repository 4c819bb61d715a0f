# exit: 1
# stderr: credence: in.svm: has 30000000 columns of features, which is out of all proportion to its 3 rows and 3 entries
printf '0,1\n1,2\n' > in.csv
printf '0 1:1\n1 2:1\n0 30000000:1\n' > in.svm
credence train in.csv --node-features in.svm -o out.safetensors
