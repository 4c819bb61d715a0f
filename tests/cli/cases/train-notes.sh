# SPDX-License-Identifier: MIT
# Notes name what is unusual about the data.
credence convert graph.npz folder --to csv
echo 3,3 >> folder/edges.csv
credence train folder -o out.safetensors --split 20/20/60 --max-epochs 2 2> err
grep -q '^note: .*self-loop' err
