# A reader that went away ends a filter without a word, by the signal for it.
mkfifo in.pipe
: < in.pipe &
exec 3> in.pipe
wait
code=0
credence predict model.safetensors graph.npz >&3 || code=$?
[ $code = 141 ]
