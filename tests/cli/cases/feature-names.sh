# SPDX-License-Identifier: MIT
# A model knows its features by name: other orders are put right, other names refused. Without names, numbers show it.
# stderr: note: the features are in another order than in training: their names put them in place
# stderr: note: the features look unlike those that the model was trained on (*correlation *); are their columns in the same order, and made in the same way?
table() { # table HEADER ORDER: 40 nodes; column c is the feature of that number, which is about as large as the number
    if [ -n "$1" ]; then echo "$1"; fi
    awk -v order="$2" 'BEGIN {
        n = split(order, f, ",")
        for (i = 0; i < 40; i++)
            for (c = 1; c <= n; c++) printf "%s%s", f[c] + sin(i * f[c] + i % 3), c < n ? "," : "\n"
    }'
}
for i in $(seq 0 39); do echo "$i,$(((i + 1) % 40))"; done > edges.csv
for i in $(seq 0 39); do echo "$i,$((i % 3))"; done > labels.csv
table a,b,c,d,e,f 1,2,3,4,5,6 > named.csv
table f,c,a,b,e,d 6,3,1,2,5,4 > other.csv
table '' 1,2,3,4,5,6 > bare.csv
table '' 6,3,1,2,5,4 > moved.csv
credence train edges.csv --labels labels.csv --node-features named.csv -o m -q --split 40/20/40 --max-epochs 3
credence predict m edges.csv --node-features named.csv > a
credence predict m edges.csv --node-features other.csv > b
cmp a b
credence predict m edges.csv --node-features bare.csv > c
cmp a c
credence predict m edges.csv --node-features moved.csv > d
if cmp -s a d; then exit 3; fi
# The names stay with the data.
credence convert edges.csv other.npz --node-features other.csv --labels labels.csv
credence predict m other.npz 2> said > e
cmp a e
grep -q 'their names put them in place' said
