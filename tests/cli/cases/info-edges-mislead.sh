# SPDX-License-Identifier: MIT
# Where edges join different classes, info says so, and train says what the model makes of it: from the labels of
# training and validation nodes alone.
# stderr: split: *
# stderr: note: edges say little about classes ([0-9]* % stay inside a class, [0-9]* % by chance): the model gpn assumes that edges join like nodes
# stderr: warm-up 1 *
# stderr: epoch 1 *
# stderr: best epoch *
# stderr: split: *
# stderr: note: edges say little about classes ([0-9]* % stay inside a class, [0-9]* % by chance): the model committee weighs what it sees along edges against a node's own features, by what held-out labels show
# stderr: network 1 of 2 *
# stderr: network 2 of 2 *
# stderr: 2 networks, *
# stderr: its answers rest *
# stderr: 24 calibration nodes: *
credence generate -o mixed.npz --nodes 400 --classes 4 --homophily 0.2
credence info mixed.npz | sed -n '/^unusual:/,$p' > said
grep -q 'edges say little about classes ([0-9]* % stay inside a class, [0-9]* % by chance): a committee weighs' said
credence info mixed.npz --json | grep -q '"edges_mislead": *true'
credence info graph.npz --json | grep -q '"edges_mislead": *false'
credence train mixed.npz -o out.safetensors --model gpn --split 40/20/40 --max-epochs 1
credence train mixed.npz -o out.safetensors --split 40/20/40 --max-epochs 1
