# SPDX-License-Identifier: MIT
# Training starts from the given weights: without an epoch they are the model.
set -- train graph.npz --left-out 1 --split 20/20/60 --model gpn --warmup 0 -q --init gpn.safetensors
credence "$@" -o same.safetensors --max-epochs 0
credence "$@" -o other.safetensors --max-epochs 3 --patience 3
for model in gpn same other; do credence predict $model.safetensors graph.npz -q -o $model.csv; done
cmp gpn.csv same.csv
if cmp -s gpn.csv other.csv; then exit 3; fi
