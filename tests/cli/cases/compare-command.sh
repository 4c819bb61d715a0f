# SPDX-License-Identifier: MIT
# The folder records every option that makes a difference to its runs, also where public graphs are looked for, each
# command once.
mkdir in.graphs
for metric in auroc_alea auroc_alea id_acc; do
    credence compare graph.npz --task misclassification --models lp,gkde --seeds 2 --split 20/20/60 --jobs 2 \
        --data-dir 'in.graphs' --metric $metric --output out -q > in.table
done
cat out/command.txt
