# exit: 2
# stderr: credence: ./in.npz: is both the input and the output
cp graph.npz in.npz
credence convert in.npz ./in.npz
