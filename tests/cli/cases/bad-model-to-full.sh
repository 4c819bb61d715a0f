# exit: 1
# stderr: credence: standard output: cannot write: No space left on device
credence train graph.npz -o - -q --max-epochs 1 > /dev/full
