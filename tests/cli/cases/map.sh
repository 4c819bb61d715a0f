# SPDX-License-Identifier: MIT
# Every node has its place, whatever the format and the number of threads.
credence map model.safetensors graph.npz --iterations 60 -o a.csv 2> err
grep -Eqx '150 nodes by t-SNE of the latent space, perplexity 30, divergence [0-9]+\.[0-9]{4}' err
head -n 1 a.csv | grep -qx 'node,x,y,class,probability,aleatoric,epistemic,epistemic_features,doubt'
[ "$(grep -Ec '^[0-9]+,-?[0-9.e-]+,-?[0-9.e-]+,[ABC],[01]' a.csv)" = 150 ]
credence map model.safetensors graph.npz --iterations 60 --threads 1 -q > b.csv
credence map -q --threads 3 --iterations 60 --seed 1 --perplexity 30 -o - model.safetensors graph.npz > c.csv
cmp a.csv b.csv
cmp a.csv c.csv
credence map model.safetensors graph.npz --iterations 60 --seed 2 -q -o d.csv
if cmp -s a.csv d.csv; then exit 3; fi
credence map model.safetensors graph.npz --iterations 60 -q -o e.jsonl
[ "$(grep -Ec '^\{"node":[0-9]+,"x":-?[0-9.e-]+,"y":-?[0-9.e-]+,"class":"[ABC]"' e.jsonl)" = 150 ]
credence map model.safetensors graph.npz --iterations 60 --format jsonl -q | cmp - e.jsonl
credence map model.safetensors graph.npz --iterations 60 -q -o f.npz
[ "$(head -c 2 f.npz)" = PK ]
# The rest of a row is what predict writes.
credence predict model.safetensors graph.npz > h.csv
cut -d , -f 1,4- a.csv | cmp - h.csv
# Nodes with the same predicted class are near each other: sorted by their place on the map, neighbours have the same
# answer far more often than by chance.
credence map model.safetensors graph.npz -q -o g.csv
[ "$(sed 1d g.csv | sort -t , -g -k 2 | cut -d , -f 4 | uniq -c | wc -l)" -lt 75 ]
