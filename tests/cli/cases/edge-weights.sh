# SPDX-License-Identifier: MIT
# Weights of edges are not used, refused, or a reason to leave edges out.
printf '0,1,0.5\n1,2,2\n2,3,1\n' > edges.csv
credence info edges.csv > a
grep -q 'first two columns are used: weights are not' a
credence info edges.csv --edge-weights ignore > b
if grep -q weights b; then exit 3; fi
credence info edges.csv --min-edge-weight 0.9 > c
grep -Eqx 'edges +2' c
grep -q '1 stored edge of a weight below 0.9 was left out' c
