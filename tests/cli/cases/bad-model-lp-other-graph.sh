# exit: 1
# stderr: credence: the model lp rests on training nodes up to number *, the data have 60 nodes: expected the graph that it was made from, perhaps with nodes added
credence train graph.npz -o in.lp -q --model lp --split 20/20/60
credence predict in.lp other.npz
