# exit: 1
# stderr: credence: /dev/full: cannot write: No space left on device
credence train graph.npz -o /dev/full -q --max-epochs 1
