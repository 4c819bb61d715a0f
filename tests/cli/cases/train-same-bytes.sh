# SPDX-License-Identifier: MIT
# The same seed gives the same bytes, whatever the number of threads and the output, for every kind of model.
for model in gpn appnp vgcn gkde-gcn egcn lp gkde; do
    epochs='--max-epochs 5'
    case $model in lp|gkde) epochs= ;; esac
    for threads in 1 2 3 5; do
        credence train graph.npz --model $model --split 20/20/60 $epochs -q --threads $threads -o $threads.safetensors
        credence predict $threads.safetensors graph.npz --threads $threads -q -o $threads.csv
        cmp 1.safetensors $threads.safetensors
        cmp 1.csv $threads.csv
    done
done
set -- train graph.npz --split 20/20/60 --max-epochs 5 -q
credence "$@" -o a.safetensors --threads 1
credence "$@" -o - > c.safetensors
credence "$@" -o d.safetensors --seed 2
cmp a.safetensors c.safetensors
if cmp -s a.safetensors d.safetensors; then exit 3; fi
