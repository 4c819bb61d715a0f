# SPDX-License-Identifier: MIT
# Ids that count from 1 keep their names: in answers, in a split file, in explain.
printf '1,2\n2,3\n3,4\n4,5\n5,6\n6,7\n7,8\n8,1\n' > edges.csv
printf '1,0\n1,0.5\n0,1\n0.2,1\n1,0.1\n0,0.9\n1,0.2\n0.1,1\n' > features.csv
printf '1,red\n2,red\n3,blue\n4,blue\n5,red\n6,blue\n7,red\n8,blue\n' > labels.csv
printf 'node,split\n1,train\n2,val\n3,train\n4,val\n5,test\n6,test\n' > split.csv
data="edges.csv --node-features features.csv --labels labels.csv"
credence train $data --split-file split.csv -o m.safetensors -q --max-epochs 2 --json > a
grep -q '2 train, 2 validation, 2 test' a
credence predict m.safetensors $data -q -o out.csv
head -n 2 out.csv | tail -n 1 | grep -q '^0,1,'
credence explain m.safetensors $data --node 8 --json | grep -q '"node": *7'
# Where a number may mean two nodes, explain says which it took.
credence explain m.safetensors $data --node 8 2> said > a
[ ! -s said ]
for file in edges labels split; do sed -E 's/(^|,)([0-9]+)/\1\20/g' $file.csv > tens.csv && mv tens.csv $file.csv; done
awk -F, -v OFS=, 'BEGIN { print "node,a,b" } { print 10 * NR, $1, $2 }' features.csv > tens.csv && mv tens.csv features.csv
for i in $(seq 20); do echo "${i}0,$((i % 8 + 1))0"; done >> edges.csv
for i in $(seq 9 20); do echo "${i}0,$i,1"; done >> features.csv
credence train $data --split-file split.csv -o m.safetensors -q --max-epochs 2
credence explain m.safetensors $data --node 10 2> said > a
grep -qx 'note: 10 is the name of node 0; there is also a node of this number' said
