# SPDX-License-Identifier: MIT
# Only rows of nodes with an unknown class, and flags among these alone.
# stderr: 2 of 4 nodes flagged (50.0 %), *
# stderr: 4 answers written to out.csv, 2 of them flagged
printf 'a,b\nb,c\nc,d\nd,e\ne,f\nf,g\ng,h\nh,a\n' > edges.csv
printf 'node,x,y\na,1,0\nb,1,0.5\nc,0,1\nd,0.2,1\ne,1,0.1\nf,0,0.9\ng,1,0.2\nh,0.1,1\n' > features.csv
printf 'node,label\na,red\nb,red\nc,blue\nd,blue\n' > labels.csv
credence train edges.csv --node-features features.csv --labels labels.csv -o m.safetensors -q --max-epochs 3
credence predict m.safetensors edges.csv --node-features features.csv --labels labels.csv --only unlabelled \
    --coverage 0.5 -o out.csv
cut -d, -f1,2 out.csv | tr '\n' ' ' | grep -qx 'node,name 4,e 5,f 6,g 7,h '
