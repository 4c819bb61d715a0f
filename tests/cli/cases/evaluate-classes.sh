# SPDX-License-Identifier: MIT
# Balanced accuracy, and precision and recall by class: text and JSON have the same numbers.
table() { sed -n '/^class /,/^$/p' a | sed '/^$/d'; } # other tables follow
credence evaluate full.safetensors graph.npz > a
credence evaluate full.safetensors graph.npz --json > b
grep -Eqx 'class +precision +recall +nodes' a
[ "$(table | wc -l)" = 5 ]
[ "$(table | awk 'NR > 1 { nodes += $4 } END { print nodes }')" = 90 ]
grep -Eq '"classes":\[\{"name":"[^"]*","precision":[0-9.null]+,"recall":[0-9.]+,"support":[0-9]+\},' b
balanced=$(sed 's/.*"balanced_accuracy":\([0-9.]*\),.*/\1/' b)
grep -qx "Balanced accuracy: $(awk "BEGIN { printf \"%.2f\", 100 * $balanced }") %" a
mean=$(table | awk 'NR > 1 { sum += $3 } END { print sum / 4 }')
awk "BEGIN { exit !($mean - 100 * $balanced < 0.01 && 100 * $balanced - $mean < 0.01) }"
# Left-out classes have no row.
credence evaluate model.safetensors graph.npz > a
grep -q '^Balanced accuracy on them: ' a
[ "$(table | wc -l)" = 4 ]
