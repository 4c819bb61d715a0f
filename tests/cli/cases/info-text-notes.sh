# SPDX-License-Identifier: MIT
# Notes name what was not read as a row of data, or was read by its position alone.
printf 'payer,payee\nann,ben\nben,cas\n#cas,ann\n# the end\n' > edges.csv
printf 'who,risk\nann,high\nben,low\ncas,low\n' > labels.csv
printf '1.5,0\n0,1\n1,1\n2,2\n' > features.csv
credence info edges.csv --labels labels.csv --node-features features.csv | sed -n '/^unusual:/,$p'
printf '1,2\n2,3\n' > edges.csv
printf '1,high\n2,low\n3,low\n' > labels.csv
credence info edges.csv --labels labels.csv | sed -n '/^unusual:/,$p'
printf '7,12\n12,3\n' > edges.csv
printf '12,0.5\n7,1\n3,2\n' > features.csv
credence info edges.csv --node-features features.csv | sed -n '/^unusual:/,$p'
