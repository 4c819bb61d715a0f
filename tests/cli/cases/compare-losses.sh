# SPDX-License-Identifier: MIT
# For errors the smaller number wins, and the heading says so; the difference is a - b all the same. Six pairs give no
# warning.
. "$ROOT/tests/cli/make_runs.sh"
for seed in 1 2 3 4 5 6; do
    ood_run own Own gpn $seed 0.9 0.8 0.8 0.7 | sed 's/"fpr95":0.5/"fpr95":0.2/g'
    ood_run own Own lp $seed 0.9 0.8 0.8 0.7
done > in.jsonl
credence compare in.jsonl --a gpn --b lp --metric ood.epistemic.fpr95 > a
grep -qx 'Paired differences in ood.epistemic.fpr95, percent, less is better' a
grep -Eq '^Own +GPN +LP +6 +20.00 +50.00 +-30.00 .* 6/0/0$' a
if grep -q intervals a; then exit 3; fi
credence compare in.jsonl --a lp --b gpn --metric ood.epistemic.fpr95 --json | grep -q '"difference":30,.*"wins":0,"ties":0,"losses":6'
credence compare in.jsonl --a gpn --b lp --metric ood.epistemic.fpr95 --format markdown |
    grep -qx 'Paired differences in ood.epistemic.fpr95, percent, less is better'
# For scores the larger number wins. Five pairs are too few.
sed -n 1,10p in.jsonl | sed '/"gpn"/s/"id_accuracy":0.9/"id_accuracy":0.8/' > few.jsonl
credence compare few.jsonl --a gpn --b lp --metric id_acc > a
grep -qx 'Paired differences in id_acc, percent' a
grep -Eq '^Own +GPN +LP +5 +80.00 +90.00 +-10.00 .* 0/0/5$' a
tail -n 1 a | grep -qx 'Do not trust intervals of fewer than 6 pairs; no p-value of so few is below 0.05.'
# Seconds are no percent, and the faster model is the best.
for name in training_seconds prediction_seconds; do
    sed "s/\"training\"/\"$name\":3,&/; /\"gpn\"/s/\"$name\":3/\"$name\":2/" in.jsonl > timed.jsonl
    credence compare timed.jsonl --metric $name > a
    grep -qx "Paired differences in $name, less is better" a
    grep -Eq '^Own +GPN +LP +6 +2.0000 +3.0000 +-1.0000 .* 6/0/0$' a
done
