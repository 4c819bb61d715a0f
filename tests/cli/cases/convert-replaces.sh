# SPDX-License-Identifier: MIT
# An existing file is replaced; an empty folder may be used.
echo something > out.npz
credence convert graph.npz out.npz
credence info out.npz > a
mkdir out.folder
credence convert graph.npz out.folder --to csv
ls -A | grep -c '^\.' | grep -qx 0
