# SPDX-License-Identifier: MIT
# A split may name its calibration nodes: in a CSV file, in an array, or among the data's own, which convert keeps.
credence convert graph.npz folder --to csv
awk 'BEGIN { split("train val calibration test", role, " "); print "node,split"
    for (i = 0; i < 150; i++) print i "," role[1 + i % 4] }' > split.csv
credence train graph.npz --split-file split.csv --model appnp --max-epochs 2 -q -o a.safetensors
credence info a.safetensors > a
grep -Eqx 'calibration nodes +37' a
grep -q 'split.csv: 38 train, 38 validation, 37 calibration, 37 test' a
cp split.csv folder
credence convert folder b.npz
credence convert b.npz c --to csv
cmp split.csv c/split.csv
credence train b.npz --model appnp --max-epochs 2 -q -o b.safetensors
credence info b.safetensors | grep -Eqx 'calibration nodes +37'
# Four parts draw them.
credence train graph.npz --split 20/20/20/40 --model appnp --max-epochs 2 -q -o d.safetensors
credence info d.safetensors | grep -Eqx 'calibration nodes +(29|30|31)'
