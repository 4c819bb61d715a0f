# SPDX-License-Identifier: MIT
# The chosen nodes have no wrong answer, so there is nothing to find: n.a. for people, null for programs.
credence convert graph.npz folder --to csv
credence predict full.safetensors graph.npz -q -o answers.csv
awk -F, 'BEGIN { print "node,split" }
    FNR == NR { label[$1] = $2; next }
    FNR > 1 && label[$1] == $2 { print $1 ",test" }' folder/labels.csv answers.csv > split.csv
[ "$(wc -l < split.csv)" -gt 10 ]
credence evaluate full.safetensors graph.npz --split-file split.csv > a
grep -qx 'Accuracy: 100.00 %' a
grep -Eq '^aleatoric +n\.a\. +n\.a\. ' a
credence evaluate full.safetensors graph.npz --split-file split.csv --json | grep -q '"auroc": *null'
