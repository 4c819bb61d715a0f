# exit: 1
# stderr: credence: in.features.csv: has 4 rows, but the edges and labels name 3 nodes
printf 'a,b\nb,c\n' > in.csv
printf 'node,label\na,x\nb,y\n' > in.labels.csv
printf '1.5,0\n0,1\n1,1\n2,2\n' > in.features.csv
credence info in.csv --node-features in.features.csv --labels in.labels.csv
