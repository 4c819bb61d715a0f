# SPDX-License-Identifier: MIT
# The nodes of the left-out class are missing from the training graph, but not from evaluation.
credence train graph.npz -o a -q --left-out 1 --inductive --split 20/20/60 --max-epochs 20
if cmp -s a model.safetensors; then exit 3; fi
credence info a | grep -Eq '^inductive +(true|on|yes)' || credence info a --json | grep -Eq '"inductive": *true'
credence evaluate a graph.npz --json > b
credence evaluate model.safetensors graph.npz --json > c
[ "$(grep -o '"nodes":[0-9]*,"positives":[0-9]*' b)" = "$(grep -o '"nodes":[0-9]*,"positives":[0-9]*' c)" ]
# The same bytes again, with any number of threads.
credence train graph.npz -o d -q --left-out 1 --inductive --split 20/20/60 --max-epochs 20 --threads 1
cmp a d
