# SPDX-License-Identifier: MIT
# A link to a file that does not exist yet is followed: the model is created at its target.
mkdir there
ln -s there/new.safetensors link.safetensors
credence train graph.npz -o link.safetensors -q --max-epochs 1
[ -L link.safetensors ]
cmp link.safetensors there/new.safetensors
[ "$(ls -A there)" = new.safetensors ]
