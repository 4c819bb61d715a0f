# exit: 1
# stderr: credence: standard output: cannot write: Broken pipe
mkfifo in.pipe
: < in.pipe &
exec 3> in.pipe
wait
credence predict model.safetensors graph.npz >&3
