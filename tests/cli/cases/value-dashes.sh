# SPDX-License-Identifier: MIT
# A lone dash, negative numbers and whatever follows an equals sign are values; so is a path to a file called -q.
credence predict model.safetensors graph.npz -o - --reject-above -5 -q > in.csv
credence predict model.safetensors graph.npz -o - --reject-above -.5 -q > in.more
[ "$(wc -l < in.csv)" = "$(wc -l < in.more)" ]
credence predict model.safetensors graph.npz --output=-q --format csv --quiet
[ -s ./-q ]
rm ./-q
credence predict model.safetensors graph.npz -o ./-q --format csv --quiet
[ -s ./-q ]
rm ./-q
