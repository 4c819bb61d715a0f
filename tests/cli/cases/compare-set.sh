# SPDX-License-Identifier: MIT
# Options for every model that has them, and a row with a user's configuration.
echo '{"preset": "gpn", "latent":6, "seed": 99, "left-out": 2, "threads": 7}' > my.json
credence compare graph.npz --task misclassification --models gpn,config,gpn-tuned --config my.json \
    --config-title 'My "own"' --seeds 1 --split 20/20/60 --output out -q \
    --set features=binary,rownorm,max-epochs=3,reg-weight=0.5,activation=gelu > table
grep -q 'My "own"' table
[ "$(grep -c '"features":"binary,rownorm"' out/runs.jsonl)" = 3 ]
[ "$(grep -c '"activation":"gelu"' out/runs.jsonl)" = 3 ]
# A weight applies to models with a regulariser.
grep '"model":"gpn-tuned"' out/runs.jsonl | grep -q '"reg-weight":0.5,'
grep '"model":"gpn"' out/runs.jsonl | grep -q '"reg":"none","reg-strength":0,"reg-weight":0,'
# The comparison sets the seed and the left-out classes, whatever a file says.
grep '"model":"config",.*"model_title":"My \\"own\\""' out/runs.jsonl | grep '"latent":6' |
    grep '"left-out":0' | grep -q '"seed":1}'
# A different configuration is a different run.
echo '{"preset": "gpn", "latent": 7}' > my.json
credence compare graph.npz --task misclassification --models config --config my.json --seeds 1 \
    --split 20/20/60 --output out -q > table
[ "$(wc -l < out/runs.jsonl)" = 4 ]
# The same configuration under another title is the same run, and the table shows the new title.
credence compare graph.npz --task misclassification --models config --config my.json --config-title Renamed --seeds 1 \
    --split 20/20/60 --output out -q > table
grep -q '^Renamed ' table
[ "$(wc -l < out/runs.jsonl)" = 4 ]
credence compare graph.npz --task misclassification --models config --config my.json --seeds 1 --split 20/20/60 \
    --output out -q > table
grep -q '^Config ' table
[ "$(wc -l < out/runs.jsonl)" = 4 ]
# Rows of two configurations are told apart by the titles they were made with.
for title in 'My "own"' Config; do
    credence compare out --a "$title" --b gpn-tuned --metric id_acc -q --format csv | grep -q ',id_acc,1,'
done
# A regulariser is set before its weight, whatever their order here.
credence compare graph.npz --task misclassification --models gpn --seeds 1 --split 20/20/60 --output out -q \
    --set reg-weight=0.25,max-epochs=2,reg=distance > table
tail -n 1 out/runs.jsonl | grep -q '"reg":"distance","reg-strength":0,"reg-weight":0.25,'
# The line under the tables names what --set says.
credence compare graph.npz --task misclassification --models gpn --seeds 1 --split 20/20/60 --output out -q \
    --set reg-weight=0.25,max-epochs=2,reg=distance,hidden=64 > table
grep -qx 'Options set: reg-weight=0.25,max-epochs=2,reg=distance,hidden=64' table
grep -qx 'Options set: reg-weight=0\.25,max-epochs=2,reg=distance,hidden=64' out/table.md
credence compare graph.npz --task misclassification --models lp --seeds 1 --split 20/20/60 --output out -q > table
if grep -q 'Options set' table out/table.*; then exit 3; fi
