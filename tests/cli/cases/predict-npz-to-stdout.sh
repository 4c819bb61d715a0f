# SPDX-License-Identifier: MIT
credence predict model.safetensors graph.npz -q -o a.npz
credence predict model.safetensors graph.npz --format npz > b.npz
cmp a.npz b.npz
