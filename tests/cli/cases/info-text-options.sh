# SPDX-License-Identifier: MIT
# --header and --first-id say what a text leaves open. Labels from 1 go with as many names of classes.
printf 'ann,ben\ncas,dan\ndan,eve\n' > edges.csv
credence info edges.csv > a
grep -Eqx 'nodes +3' a
grep -q 'the first row (ann, ben) is read as a header' a
credence info edges.csv --header no > a
grep -Eqx 'nodes +5' a
credence info edges.csv --header yes > a
grep -Eqx 'nodes +3' a
printf '1,2\n2,3\n' > edges.csv
credence info edges.csv > a
grep -Eqx 'nodes +4' a
credence info edges.csv --first-id 1 > a
grep -Eqx 'nodes +3' a
mkdir graph
printf '0,1\n1,2\n' > graph/edges.csv
printf '1\n3\n3\n' > graph/labels.csv
printf 'red\ngreen\nblue\n' > graph/classes.csv
credence info graph > a
grep -q 'labels start at 1, which is the class red' a
grep -q 'class green has no labelled node and is left out' a
