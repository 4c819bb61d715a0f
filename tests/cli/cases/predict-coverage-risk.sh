# SPDX-License-Identifier: MIT
# What evaluate shows is what predict applies: the nodes that --coverage answers are those of the risk-coverage curve.
credence predict full.safetensors graph.npz --coverage 0.7 -q -o a.csv
credence predict full.safetensors graph.npz --coverage 0.7 --reject-by aleatoric -q -o b.csv
cmp a.csv b.csv
# No answered node is less certain than a rejected one.
awk -F, 'NR > 1 { if ($NF == 0 && (!n++ || $4 > most)) most = $4; if ($NF == 1 && (!r++ || $4 < least)) least = $4 }
    END { exit !(n == 105 && most <= least) }' a.csv
