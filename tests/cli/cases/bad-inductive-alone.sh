# exit: 2
# stderr: credence: --inductive removes the nodes of left-out classes from training, but none are left out: give --left-out N
credence train graph.npz -o out.safetensors --inductive
