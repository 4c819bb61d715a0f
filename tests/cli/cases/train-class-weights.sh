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
