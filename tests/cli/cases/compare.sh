# SPDX-License-Identifier: MIT
# One line per run, the tables, and finished runs are not repeated.
credence compare graph.npz other.npz --models gpn,default --seeds 3 --left-out 1 \
    --split 20/20/60 --set max-epochs=10 --jobs 2 --output out -q > table
[ "$(wc -l < out/runs.jsonl)" = 12 ]
for part in '"task":"ood"' '"data":"other"' '"title":"graph"' '"model":"default"' '"seed":3' \
    '"fingerprint":"[0-9a-f]\{16\}"' '"split":"20/20/60"' '"seconds": *[-+0-9.e]*' '"training_seconds":[0-9.e-]*,"prediction_seconds":[0-9.e-]*,"training":{' '"max-epochs":10,' \
    '"stop":"epochs"' '"metrics":{"task":"ood"'; do
    grep -q "$part" out/runs.jsonl
done
if grep -q threads out/runs.jsonl; then exit 3; fi
for file in table.md table.csv table.json differences.csv; do [ -s out/$file ]; done
# Again: the same table, no new line, no message.
cp -R out in.before
credence compare graph.npz other.npz --models gpn,default --seeds 3 --left-out 1 \
    --split 20/20/60 --set max-epochs=10 --jobs 2 --output out -q > again
cmp again table
cmp out/runs.jsonl in.before/runs.jsonl
# A fourth seed costs only its own runs.
credence compare graph.npz other.npz --models gpn,default --seeds 4 --left-out 1 \
    --split 20/20/60 --set max-epochs=10 --output out -q --json > json
[ "$(wc -l < out/runs.jsonl)" = 16 ]
cmp json out/table.json
# Neither the number of parallel runs nor other lines in the file make a difference.
credence compare graph.npz other.npz --models gpn,default --seeds 3 --left-out 1 \
    --split 20/20/60 --set max-epochs=10 --jobs 1 --output one -q > table1
cmp table table1
credence compare graph.npz other.npz --models gpn,default --seeds 3 --left-out 1 \
    --split 20/20/60 --set max-epochs=10 --jobs 5 --output out -q > table5
cmp table table5
for ending in md csv json; do cmp out/table.$ending one/table.$ending; done
