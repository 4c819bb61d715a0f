# Training starts from the given weights: without an epoch they are the model.
set -- train graph.npz --left-out 1 --split 20/20/60 --warmup 0 -q --init model.safetensors
credence "$@" -o same.safetensors --max-epochs 0
credence "$@" -o other.safetensors --max-epochs 3 --patience 3
for model in model same other; do credence predict $model.safetensors graph.npz -o $model.csv; done
cmp model.csv same.csv
if cmp -s model.csv other.csv; then exit 3; fi
