# SPDX-License-Identifier: MIT
# The report of a comparison has every run, and the numbers of its table and of compare.
# stderr: ...
. "$ROOT/tests/cli/report_block.sh"
credence compare graph.npz --models lp,gkde,gpn --seeds 3 --left-out 1 --split 20/20/60 --set max-epochs=8 \
    --output in.e -q > in.table
credence report in.e -o report.html -q
report_block report.html -1 page | grep -q '"kind": *"experiment", *"title": *"Comparison in.e"'
report_block report.html 0 experiment > in.json
for name in mean sd; do
    sed 's/"unpaired".*//' in.e/table.json | numbers_of $name > in.expected
    # After the tables' numbers come those of pairs, which have their own differences.
    sed 's/"pairs":\[{.*//' in.json | numbers_of $name | diff in.expected -
done
[ "$(sed 's/"unpaired".*//' in.e/table.json | numbers_of mean | wc -l)" = 21 ]
# Pairs: the same numbers as compare's, for two of three models by one metric.
credence compare in.e --a lp --b gpn --json -q | sed 's/.*"differences"//' > in.compare
grep -o '{"block":0,"a":0,"b":2,"metric":"auroc_epi",[^}]*}' in.json > in.pair
for name in pairs mean_a mean_b difference low high wilcoxon_p sign_p wins ties losses; do
    numbers_of $name < in.compare > in.expected
    numbers_of $name < in.pair | diff in.expected -
done
[ "$(wc -l < in.pair)" = 1 ]
# Every run's number, in the order of seeds, in percent.
grep '"model":"lp"' in.e/runs.jsonl | sed 's/.*"seed":\([0-9]*\),"fingerprint.*"id_accuracy":\([0-9.]*\).*/\1 \2/' | sort -n |
    awk '{ printf "%.9f\n", 100 * $2 }' > in.expected
grep -o '"id_acc":\[[^]]*\]' in.json | sed -n 's/.*\[\(.*\)\]/\1/;1p' | tr , '\n' | awk '{ printf "%.9f\n", $1 }' | diff in.expected -
grep -q '"seeds":\[1,2,3\]' in.json
grep -q '"commands":\["credence compare graph.npz --models lp,gkde,gpn .*"\]' in.json
grep -q '"failures":\[\]' in.json
# The seconds are those of training: the time of a run depends on what else its process did.
grep -q '"name":"training_seconds","group":"Training","label":"seconds","column":false,"percent":false,"loss":true' in.json
if grep -q '"name":"seconds"' in.json; then exit 3; fi
# A repetition gives the same bytes.
credence report in.e -o again.html -q
cmp report.html again.html
