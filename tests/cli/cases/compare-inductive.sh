# SPDX-License-Identifier: MIT
credence compare graph.npz --models gpn,lp --seeds 1-1 --left-out 1 --split 20/20/60 \
    --set max-epochs=15,inductive=on --output out -q > a
grep -q '"model":"gpn".*"inductive": *true' out/runs.jsonl
credence train graph.npz -o m -q --preset gpn --features auto --split 20/20/60 --max-epochs 15 --left-out 1 \
    --inductive --threads 1
credence evaluate m graph.npz --json | sed 's/,"classes":\[[^]]*\]//g; s/^{//; s/}$//' > metrics
grep '"model":"gpn"' out/runs.jsonl | grep -qF "$(cat metrics)"
