# exit: 2
# stderr: credence: out: an OGB folder writes every zero out: 200 x 1000000 features for 200 that are not zero; choose npz, npy, csv or mtx
printf '0,1\n1,2\n' > in.csv
awk 'BEGIN { for (i = 0; i < 200; i++) print 0, 1000000 ":1" }' > in.svm
credence convert in.csv out --node-features in.svm --to ogb
