# SPDX-License-Identifier: MIT
# Which features a model needs depends on its kind, not on its row.
echo '{"model": "lp", "steps":3}' > my.json
credence convert graph.npz in.csv --to csv
rm in.csv/features.*
credence compare in.csv --task misclassification --models lp,config --config my.json --config-title Short --split 20/20/60 \
    --seeds 1 --output out -q > table
grep -q '^Short ' table
grep -q '"model":"config".*"steps":3' out/runs.jsonl
