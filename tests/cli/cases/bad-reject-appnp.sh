# exit: 2
# stderr: credence: the model gives no epistemic uncertainty to reject nodes by, but aleatoric
credence train graph.npz -o in.appnp -q --model appnp --split 20/20/60 --max-epochs 1
credence predict in.appnp graph.npz --coverage 0.5
