# SPDX-License-Identifier: MIT
# A page never replaces one of its inputs, neither files beside model and graph nor those of a folder.
printf 'node,split\n0,train\n1,test\n2,test\n' > split.csv
cp split.csv in.split
if credence report model.safetensors graph.npz --split-file split.csv -q -o split.csv 2> err; then exit 3; fi
cmp split.csv in.split
credence compare graph.npz --left-out 1 --models lp --seeds 1 --output runs -q > out
cp runs/runs.jsonl in.runs
if credence report runs -q -o runs/runs.jsonl 2> err; then exit 3; fi
cmp runs/runs.jsonl in.runs
