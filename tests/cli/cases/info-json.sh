# SPDX-License-Identifier: MIT
printf '0,1\n1,2\n2,0\n2,3\n' > edges.csv
credence info edges.csv --json > a
grep -q '"nodes": *4' a
grep -q '"edges": *4' a
grep -q '"fingerprint"' a
[ "$(wc -l < a)" -eq 1 ] # and no blank line after it
