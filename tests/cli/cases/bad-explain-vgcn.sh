# exit: 2
# stderr: credence: a model of the kind vgcn cannot be explained: its answers are no sum over nodes, as those of gpn, lp and gkde are
credence train graph.npz -o in.vgcn -q --model vgcn --split 20/20/60 --max-epochs 1
credence explain in.vgcn graph.npz --node 1
