# SPDX-License-Identifier: MIT
# Labels of test nodes change neither the trials nor the choice.
# stderr: ...
credence convert graph.npz in.a --to ogb
mkdir -p in.a/split/random
for role in train:0 valid:1 test:2; do
    awk -v role="${role#*:}" 'BEGIN { for (i = 0; i < 150; i++) if ((i % 5 < 2 ? i % 5 : 2) == role) print i }' |
        gzip > in.a/split/random/${role%:*}.csv.gz
done
cp -R in.a in.b
# In the second graph every test node has the next class.
gzip -dc in.a/raw/node-label.csv.gz |
    awk '{ if ((NR - 1) % 5 >= 2) print ($1 + 1) % 4; else print }' | gzip > in.b/raw/node-label.csv.gz
for criterion in val-ce left-out-class own-errors; do
    for graph in a b; do
        credence tune in.$graph --config gpn.json -o in.$graph.json --criterion $criterion --left-out 1 --eta 0 --seeds 1 --jobs 1 \
            --set max-epochs=15 --space 'reg-weight=0,1e-2,1' --trials-dir in.$graph.$criterion -q
        sed 's/.*"seed"/"seed"/; s/"fingerprint":"[0-9a-f]*"//; s/"seconds": *[-+0-9.e]*//' \
            in.$graph.$criterion/trials.jsonl > in.$graph.lines
    done
    cmp in.a.json in.b.json
    cmp in.a.lines in.b.lines
    cmp in.a.$criterion/tried.csv in.b.$criterion/tried.csv
done
# It still counts as different data.
if cmp -s in.a.val-ce/trials.jsonl in.b.val-ce/trials.jsonl; then exit 3; fi
