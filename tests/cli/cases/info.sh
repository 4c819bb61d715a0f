# SPDX-License-Identifier: MIT
# A graph small enough to count by hand: a triangle with a tail, a self-loop and a repeated edge; one edge goes both ways.
printf 'source,target\n0,1\n1,0\n1,2\n2,0\n2,3\n3,3\n0,1\n' > edges.csv
printf '1,0\n1,0.5\n0,0\n0,2\n4,0\n' > features.csv
printf 'node,label\n0,cat\n1,cat\n2,dog\n3,dog\n' > labels.csv
credence info edges.csv --node-features features.csv --labels labels.csv | sed 's/[0-9a-f]\{16\}/HASH/'
