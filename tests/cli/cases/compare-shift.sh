# SPDX-License-Identifier: MIT
credence compare graph.npz --task shift --models gpn,vgcn --seeds 2 --shifts normal:0.20,dice:0.1:isolated \
    --split 20/20/60 --set max-epochs=15 --output out -q > a
grep -q 'normal:0.2:all' a
grep -q 'dice:0.1:isolated' a
# Blocks come in the requested order.
[ "$(grep -o '^graph, [a-z]*' a | tr '\n' ' ')" = 'graph, normal graph, dice ' ]
[ "$(wc -l < out/runs.jsonl)" = 8 ]
[ "$(grep -c '"task":"shift".*"shift":"normal:0.2:all"' out/runs.jsonl)" = 4 ]
# A run gives what train and evaluate give with the same seed.
credence train graph.npz -o m -q --preset gpn --features auto --split 20/20/60 --max-epochs 15 --seed 2 --threads 1
credence evaluate m graph.npz --shift normal:0.2 --seed 2 --json | sed 's/^{//; s/}$//' > metrics
grep '"model":"gpn","seed":2,.*"shift":"normal:0.2:all"' out/runs.jsonl | grep -qF "$(cat metrics)"
# An amount keeps its digits.
credence compare graph.npz --task shift --models vgcn --seeds 1 --shifts rewire:0.1234567,rewire:0.1234568 \
    --split 20/20/60 --set max-epochs=1 --output digits -q > in.table
grep -q 'rewire:0.1234567:all' in.table
[ "$(grep -c '"shift":"rewire:0.123456[78]:all".*"amount":0.123456[78][^0-9]' digits/runs.jsonl)" = 2 ]
# Two spellings of a shift are the same: nothing runs again.
credence compare graph.npz --task shift --models gpn,vgcn --seeds 2 --shifts normal:0.2:all,dice:0.1:isolated \
    --split 20/20/60 --set max-epochs=15 --output out -q > b
[ "$(wc -l < out/runs.jsonl)" = 8 ]
cmp a b
