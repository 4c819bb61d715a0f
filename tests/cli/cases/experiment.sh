# A line a run, the tables, and what is finished is not done again.
credence experiment ood --data graph.npz,other.npz --models gpn,default --seeds 3 --left-out 1 \
    --split 20/20/60 --set max-epochs=10 --jobs 2 --out out -q > table
[ "$(wc -l < out/runs.jsonl)" = 12 ]
for part in '"task":"ood"' '"data":"other"' '"title":"graph"' '"model":"default"' '"seed":3' \
    '"fingerprint":"[0-9a-f]\{16\}"' '"split":"20/20/60"' '"seconds":[-+0-9.e]*' '"max-epochs": 10,' \
    '"stop":"epochs"' '"metrics":{"task":"ood"'; do
    grep -q "$part" out/runs.jsonl
done
if grep -q threads out/runs.jsonl; then exit 3; fi
for ending in txt md tex csv json; do [ -s out/table.$ending ]; done
cmp table out/table.txt
# Again: the same table, no new line, no word.
cp -R out in.before
credence experiment ood --data graph.npz,other.npz --models gpn,default --seeds 3 --left-out 1 \
    --split 20/20/60 --set max-epochs=10 --jobs 2 --out out -q > again
cmp again table
cmp out/runs.jsonl in.before/runs.jsonl
# Another seed alone is what a fourth one costs.
credence experiment ood --data graph.npz,other.npz --models gpn,default --seeds 4 --left-out 1 \
    --split 20/20/60 --set max-epochs=10 --out out -q --json > json
[ "$(wc -l < out/runs.jsonl)" = 16 ]
cmp json out/table.json
# How many run side by side makes no difference, nor what else the file holds.
credence experiment ood --data graph.npz,other.npz --models gpn,default --seeds 3 --left-out 1 \
    --split 20/20/60 --set max-epochs=10 --jobs 1 --out one -q > table1
cmp table table1
credence experiment ood --data graph.npz,other.npz --models gpn,default --seeds 3 --left-out 1 \
    --split 20/20/60 --set max-epochs=10 --jobs 5 --out out -q > table5
cmp table table5
for ending in txt md tex csv json; do cmp out/table.$ending one/table.$ending; done
