# SPDX-License-Identifier: MIT
# A run does what train and evaluate do with the same options and seed, but it does not list the classes. On a graph
# that is not public the plain GPN gets the features in the same form as all others.
credence compare graph.npz --models gpn,default --seeds 7,9 --left-out 1 --output out -q \
    --set max-epochs=30 > table
credence compare graph.npz --task misclassification --models gpn --seeds 9-9 --split 20/20/60 --output out \
    -q --set max-epochs=30 > table
metrics() { sed -n "/$1/s/.*\"metrics\":\(.*\)}\$/\1/p" out/runs.jsonl; }
credence train graph.npz -o a -q --preset gpn --features auto --left-out 1 --seed 7 --max-epochs 30 --threads 1
credence evaluate a graph.npz --json | sed 's/,"classes":\[[^]]*\]//g' > a.json
metrics '"ood".*"gpn","seed":7' | cmp - a.json
credence train graph.npz -o b -q --left-out 1 --seed 9 --max-epochs 30
credence evaluate b graph.npz --json | sed 's/,"classes":\[[^]]*\]//g' > b.json
metrics '"ood".*"default","seed":9' | cmp - b.json
credence train graph.npz -o c -q --preset gpn --features auto --seed 9 --max-epochs 30 --split 20/20/60
credence evaluate c graph.npz --json | sed 's/,"classes":\[[^]]*\]//g' > c.json
metrics '"misclassification".*"gpn","seed":9' | cmp - c.json
if cmp -s a.json b.json; then exit 3; fi
