# SPDX-License-Identifier: MIT
# Without a terminal: the plan, one line per run, the result.
# stderr: note: there is no published choice for graph: its row 'Published choice' is left out
# stderr: misclassification: 2 runs, 0 of them finished already; 1 at a time
# stderr: 1/2 done, [0-9]* s left: graph gpn seed 4 took [0-9]* s
# stderr: 2/2 done: graph gpn seed 6 took [0-9]* s
# stderr: 2 runs, 2 of them now; tables are in out
credence compare graph.npz --task misclassification --models gpn,paper --seeds 4,6 --split 20/20/60 \
    --set max-epochs=5 --jobs 1 --output out
