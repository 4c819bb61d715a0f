# The same seed gives the same bytes, whatever the number of threads and wherever they go.
set -- train graph.npz --split 20/20/60 --max-epochs 5 -q
credence "$@" -o a.safetensors --threads 1
credence "$@" -o b.safetensors --threads 2
credence "$@" -o - > c.safetensors
credence "$@" -o d.safetensors --seed 2
cmp a.safetensors b.safetensors
cmp a.safetensors c.safetensors
if cmp -s a.safetensors d.safetensors; then exit 3; fi
