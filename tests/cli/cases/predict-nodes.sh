# SPDX-License-Identifier: MIT
# Only the rows of the nodes that are asked for, by name or number, in a list or a file; numbers as without --nodes.
printf 'a,b\nb,c\nc,d\nd,e\ne,f\nf,g\ng,h\nh,a\n' > edges.csv
printf 'node,x,y\na,1,0\nb,1,0.5\nc,0,1\nd,0.2,1\ne,1,0.1\nf,0,0.9\ng,1,0.2\nh,0.1,1\n' > features.csv
printf 'node,label\na,red\nb,red\nc,blue\nd,blue\n' > labels.csv
credence train edges.csv --node-features features.csv --labels labels.csv -o m.safetensors -q --max-epochs 3
credence predict m.safetensors edges.csv --node-features features.csv -q -o all.csv
credence predict m.safetensors edges.csv --node-features features.csv -q --nodes 'f, b,6' -o some.csv
grep -E '^(node|1,b|5,f|6,g),' all.csv | cmp - some.csv
printf 'f\r\n\n6\nb\n' > list.txt
credence predict m.safetensors edges.csv --node-features features.csv -q --nodes @list.txt -o listed.csv
cmp some.csv listed.csv
