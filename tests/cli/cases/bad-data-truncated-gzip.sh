# exit: 1
# stderr: credence: in.csv.gz: the gzip data are cut off *
printf '0,1\n1,2\n2,0\n' | gzip > in.gz
head -c 15 in.gz > in.csv.gz
credence info in.csv.gz
