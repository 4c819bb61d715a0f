# SPDX-License-Identifier: MIT
# The formats of an answer, and the ways to say where it goes. What goes to a file is counted on standard error.
# stderr: 150 answers written to b.csv
# stderr: 150 answers written to d.csv
credence predict model.safetensors graph.npz > a
head -n 1 a | grep -qx 'node,class,probability,aleatoric,epistemic,epistemic_features,doubt'
[ "$(wc -l < a)" = 151 ]
credence predict model.safetensors graph.npz -o b.csv
credence predict -o - model.safetensors graph.npz > c
credence predict --output=d.csv -- model.safetensors graph.npz
credence predict model.safetensors -oe.csv graph.npz --threads 1 -q
for file in b.csv c d.csv e.csv; do cmp a $file; done
credence predict model.safetensors graph.npz -q -o f.jsonl
[ "$(grep -c '^{"node":' f.jsonl)" = 150 ]
credence predict model.safetensors graph.npz --format jsonl | cmp - f.jsonl
credence predict model.safetensors graph.npz -q -o g.npz
[ "$(head -c 2 g.npz)" = PK ]
credence predict model.safetensors graph.npz --full | head -n 1 | grep -q ',alpha_A,.*,p_A,'
