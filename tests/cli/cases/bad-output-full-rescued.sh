# What was learnt is not lost: it goes to the folder for temporary files.
# exit: 1
# stderr: credence: /dev/full: cannot write: No space left on device; the trained model was saved as in.tmp/credence-rescued-*/model.safetensors instead
mkdir in.tmp
TMPDIR=in.tmp credence train graph.npz -o /dev/full -q --max-epochs 1 && exit 0
credence predict in.tmp/credence-rescued-*/model.safetensors graph.npz -o in.csv
exit 1
