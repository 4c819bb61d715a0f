# SPDX-License-Identifier: MIT
# stderr: there are no such nodes: nothing was written but the columns
credence predict model.safetensors graph.npz --only unlabelled -o a.csv
[ "$(wc -l < a.csv)" = 1 ]
