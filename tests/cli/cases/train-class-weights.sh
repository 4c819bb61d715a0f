# SPDX-License-Identifier: MIT
# Every trained kind can weigh its classes alike; the model says so, and a model that is not trained has no such option.
for model in committee gpn appnp vgcn gkde-gcn egcn; do
    for weights in none balanced; do
        credence train graph.npz -o $weights.safetensors -q --model $model --split 20/20/60 --max-epochs 3 \
            --class-weights $weights
        credence info $weights.safetensors --json > facts
        grep -q "\"class-weights\": \"$weights\"" facts
        credence predict $weights.safetensors graph.npz --full -q -o $weights.csv
    done
    if cmp -s none.csv balanced.csv; then exit 3; fi
    credence train graph.npz -o usual.safetensors -q --model $model --split 20/20/60 --max-epochs 3
    cmp none.safetensors usual.safetensors
done
if credence train graph.npz -o in.m --model lp --class-weights balanced 2> error; then exit 3; fi
grep -qx 'credence: --class-weights is not an option of the model lp' error
# A class with few labels gets a word of advice, unless it was followed.
{ echo node,label; for i in $(seq 0 149); do echo "$i,$((i < 100 ? 0 : i < 144 ? 1 : 2))"; done; } > rare.csv
for i in $(seq 0 149); do echo "$i,$(((i * 7 + 1) % 150))"; done > edges.csv
for i in $(seq 0 149); do echo "$((i % 3)),$((i % 5)),$((i / 50))"; done > features.csv
set -- edges.csv --labels rare.csv --node-features features.csv -o rare.safetensors --split 50/20/30 --max-epochs 3
credence train "$@" 2> said
grep -q 'note: class 2 has [0-9]* of [0-9]* labels; --class-weights balanced gives all classes the same weight' said
credence train "$@" --class-weights balanced 2> said
if grep -q 'note: class 2' said; then exit 3; fi
