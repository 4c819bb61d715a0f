# SPDX-License-Identifier: MIT
# Classes are left out by name. The model knows them by name, so the data that it is measured on keep their order.
credence train graph.npz -o a -q --left-out 2 --split 20/20/60 --max-epochs 20
credence train graph.npz -o b -q --left-out D,C --split 20/20/60 --max-epochs 20
cmp a b
credence train graph.npz -o c.safetensors -q --left-out B --split 20/20/60 --max-epochs 20
credence info c.safetensors | grep -qx 'classes: A, C, D, B (left out)'
credence evaluate c.safetensors graph.npz --json | sed 's/,"classes":.*/}/' > measured
# 'compare' trains and measures the same.
credence compare graph.npz --models default --seeds 1-1 --left-out B --split 20/20/60 --set max-epochs=20 -o out -q \
    --json > table
grep -q '"left_out_classes":"B"' table
grep '"left_out_classes":"B"' out/runs.jsonl | sed -n 's/.*"metrics":\(.*\)}$/\1/p' | cmp - measured
# A run with other classes is another run, with a table of its own.
credence compare graph.npz --models default --seeds 1-1 --left-out 1 --split 20/20/60 --set max-epochs=20 -o out -q > t
credence compare graph.npz --models default --seeds 1-1 --left-out B --split 20/20/60 --set max-epochs=20 -o out -q \
    --json | cmp - table
[ "$(wc -l < out/runs.jsonl)" -eq 2 ]
credence compare out | grep -qx 'graph (B left out), 1 run each'
credence compare out | grep -qx 'graph, 1 run each'
# Names with blanks and commas; 'tune' takes them too.
names() { # names A B C D: the labels of 150 nodes in turn
    echo 'node,label'
    for i in $(seq 0 149); do eval "printf '%s,\"%s\"\n' $i \"\$$((i % 4 + 1))\""; done
}
names Theory 'Neural Networks' a,b a > labels.csv
credence train graph.npz --labels labels.csv -o d.safetensors -q --left-out 'a,b,Neural Networks' --max-epochs 1
credence info d.safetensors | grep -qx 'classes: Theory, a, Neural Networks (left out), a,b (left out)'
credence tune graph.npz --labels labels.csv -o best.json -q --left-out 'a,Theory' --space 'hidden=4,8' --seeds 1 --eta 0 \
    --set max-epochs=2 > t
grep -q '"left_out_classes":"Theory,a"' best.json.trials/trials.jsonl
# Where classes are numbers, a number alone says how many; a model keeps the numbers that classes have in the data.
names 0 1 2 3 > labels.csv
credence train graph.npz --labels labels.csv -o e.safetensors -q --left-out name:1 --split 20/20/60 --max-epochs 2
credence info e.safetensors | grep -qx 'classes: 0, 2, 3, 1 (left out)'
credence evaluate e.safetensors graph.npz --labels labels.csv > t
grep -q '^Finding out-of-distribution nodes: 2[0-9] among' t
credence train graph.npz --labels labels.csv -o f.safetensors -q --left-out 1 --split 20/20/60 --max-epochs 2
credence info f.safetensors | grep -qx 'classes: 0, 1, 2, 3 (left out)'
