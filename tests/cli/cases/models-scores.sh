# SPDX-License-Identifier: MIT
# The epistemic uncertainty can be made in other ways; the model file remembers which, and everything else is the same.
for model in appnp/energy vgcn/gnnsafe vgcn/gebm appnp/grasp vgcn/epn gpn/log-evidence gpn/anchor gkde-gcn/vacuity; do
    score=${model#*/}
    for chosen in own $score; do
        credence train graph.npz -o $chosen.st -q --model ${model%/*} --score $chosen --left-out 1 --split 20/20/60 \
            --max-epochs 5
        credence predict $chosen.st graph.npz --full -q -o $chosen.jsonl
        sed 's/"epistemic":[^,]*,//' $chosen.jsonl > $chosen.rest
    done
    cmp own.rest $score.rest
    if cmp -s own.jsonl $score.jsonl; then exit 3; fi
    credence info $score.st | grep -Eqx "score +$score"
    credence evaluate $score.st graph.npz --plot always > ood
    grep -Eq '^epistemic +[0-9.]+ ' ood
    grep -Eq "^ *$score( |\$)" ood
    credence evaluate $score.st graph.npz --task misclassification --json > /dev/null
    credence report $score.st graph.npz -o $score.html -q
done
# Names of compare that are a model and a score.
credence compare graph.npz --left-out 1 --models appnp-energy,gnnsafe,gebm,grasp,grasp-appnp,grasp-gpn,anchor,gpn-tuned,log-evidence,egcn,epn \
    --set max-epochs=3 --seeds 1 --split 20/20/60 --output out -q > table
[ "$(wc -l < out/runs.jsonl)" = 11 ]
grep '"model":"grasp-appnp"' out/runs.jsonl | grep '"model":"appnp"' | grep -q '"score":"grasp"'
grep -q '^GRASP (APPNP) ' table
