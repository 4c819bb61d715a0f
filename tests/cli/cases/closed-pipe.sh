# SPDX-License-Identifier: MIT
# If the reader goes away, a filter ends silently, by the signal for it.
mkfifo in.pipe
: < in.pipe &
exec 3> in.pipe
wait
code=0
credence predict model.safetensors graph.npz >&3 || code=$?
[ $code = 141 ]
