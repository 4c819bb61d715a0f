# SPDX-License-Identifier: MIT
# -1 means unknown also among names, and a note says so; a row whose node is a number is not a header.
printf '0,1\n1,2\n2,3\n' > edges.csv
printf 'red\n-1\nblue\n-1\n' > labels.csv
credence info edges.csv --labels labels.csv > a
grep -Eqx 'labelled nodes +2 \(50.0 %\)' a
grep -q 'labels.csv: labels of -1 are read as unknown' a
printf '0,x\n1,\n2,\n3,\n' > labels.csv
credence info edges.csv --labels labels.csv > a
grep -Eqx 'labelled nodes +1 \(25.0 %\)' a
printf '0,x\n1,3\n2,3\n3,4\n' > labels.csv
credence info edges.csv --labels labels.csv > a
grep -Eqx 'labelled nodes +4 \(100.0 %\)' a
# Node numbers taken for classes.
for i in $(seq 0 11); do echo "$i,$(((i + 1) % 12))"; done > edges.csv
seq 100 111 > labels.csv
credence info edges.csv --labels labels.csv > a
grep -q 'every labelled node has a class of its own: are these really classes?' a
