# A link to a file that is not there yet is followed: the model is created where it points to.
mkdir there
ln -s there/new.safetensors link.safetensors
credence train graph.npz -o link.safetensors -q --max-epochs 1
[ -L link.safetensors ]
cmp link.safetensors there/new.safetensors
[ "$(ls -A there)" = new.safetensors ]
