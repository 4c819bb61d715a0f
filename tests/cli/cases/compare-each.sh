# SPDX-License-Identifier: MIT
# Each class is left out in turn: a run for every class and seed. Tables show the mean over classes and the worst class.
credence compare graph.npz --models lp,gkde --seeds 2 --left-out each --split 20/20/60 -o out -q > table
[ "$(wc -l < out/runs.jsonl)" -eq 16 ]
[ "$(grep -c '"left_out_classes":"C","left_out_each":true' out/runs.jsonl)" -eq 4 ]
grep -qx 'graph (each class left out in turn), 8 runs each' table
grep -q '^Where each class is left out in turn: the mean over classes, and in brackets the worst class.$' table
grep -Eq '^LP .*[0-9.]+ \([0-9.]+\)' table
# The worst class has the lowest mean of its two runs.
worst=$(grep '"model":"lp"' out/runs.jsonl |
    sed 's/.*"left_out_classes":"\([A-D]\)".*"epistemic":{"auroc":\([0-9.e-]*\).*/\1 \2/' |
    awk '{ sum[$1] += 50 * $2 } END { for (c in sum) if (worst == "" || sum[c] < worst) worst = sum[c]; printf "%.2f", worst }')
credence compare out --json | tr '{' '\n' | grep -q "\"worst\":$(echo "$worst" | sed 's/0*$//')"
# Models are compared class by class; finished runs are not repeated.
credence compare out --json | grep -q '"pairs":8'
credence compare graph.npz --models lp,gkde --seeds 2 --left-out each --split 20/20/60 -o out > again 2> said
cmp table again
grep -q '^16 runs, 0 of them now' said
