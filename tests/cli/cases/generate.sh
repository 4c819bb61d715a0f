# SPDX-License-Identifier: MIT
# The same seed gives the same bytes, in a file and in a pipe; another seed gives different ones.
credence generate -o a.npz --nodes 50 --classes 3 --lookalikes 0 --seed 3
credence generate -o - --nodes 50 --classes 3 --lookalikes 0 --seed 3 > b.npz
credence generate -o c.npz --nodes 50 --classes 3 --lookalikes 0 --seed 4
cmp a.npz b.npz
if cmp -s a.npz c.npz; then exit 3; fi
credence generate -o - --nodes 50 --classes 3 --lookalikes 0 | credence info - --json | grep -q '"nodes": *50'
