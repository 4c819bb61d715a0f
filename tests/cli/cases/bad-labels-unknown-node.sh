# exit: 1
# stderr: credence: in.labels.csv: line 3: node 'q' is not in in.features.csv
printf 'a,b\nb,c\n' > in.csv
printf 'a,1,0\nb,0,1\nc,1,1\n' > in.features.csv
printf 'node,label\na,x\nq,y\n' > in.labels.csv
credence info in.csv --node-features in.features.csv --labels in.labels.csv
