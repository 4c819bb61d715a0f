# SPDX-License-Identifier: MIT
# "-" is standard input for every command that reads a graph.
credence info graph.npz > a
credence info - < graph.npz > b
cat graph.npz | credence info - > c
cmp a b
cmp a c
credence predict model.safetensors graph.npz > a
credence predict model.safetensors - < graph.npz > b
cmp a b
credence convert - copy.npz < graph.npz
credence info copy.npz > a
credence info graph.npz > b
cmp a b
