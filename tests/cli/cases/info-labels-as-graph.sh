# SPDX-License-Identifier: MIT
# A file of labels given as a graph is noticed; an edge list, and a pair of edges, are not.
note='no node is both a source and a target: is this an edge list?'
printf 'node,label\n0,A\n1,B\n2,A\n' > labels.csv
credence info labels.csv | grep -qxF "  labels.csv: $note"
printf 'ann,ben\nben,cas\ndan,eve\nfay,gus\n' > edges.csv
credence info edges.csv > a
if grep -qF "$note" a; then exit 3; fi
printf 'ann,ben\ncas,dan\n' > edges.csv
credence info edges.csv > a
if grep -qF "$note" a; then exit 3; fi
# Numbers say nothing: classes have numbers too.
printf '5,0\n6,1\n7,0\n8,1\n' > edges.csv
credence info edges.csv > a
if grep -qF "$note" a; then exit 3; fi
