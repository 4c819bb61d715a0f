# Not a terminal: what is to be done, a line a run, what was done.
# stderr: note: there is no published choice for graph: its row 'Published choice' is left out
# stderr: misclassification: 2 runs; 1 at a time
# stderr: 1/2 graph gpn seed 4: [0-9]* s; * left, ends at [0-9]*:[0-9]*
# stderr: 2/2 graph gpn seed 6: [0-9]* s
# stderr: 2 runs, 2 of them now; out/table.txt, .md, .tex, .csv and .json written
credence experiment misclassification --data graph.npz --models gpn,paper --seeds 4,6 --split 20/20/60 \
    --set max-epochs=5 --jobs 1 --out out
