# Neither place takes it: one line, nothing left.
# exit: 1
# stderr: credence: /dev/full: cannot write: No space left on device
TMPDIR=nowhere credence train graph.npz -o /dev/full -q --max-epochs 1
