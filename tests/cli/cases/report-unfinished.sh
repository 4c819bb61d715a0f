# SPDX-License-Identifier: MIT
# Folders of comparisons and searches that were stopped: the page shows what there is and calls nothing chosen. A line
# that a crash cut short is skipped, as in other commands.
. "$ROOT/tests/cli/make_runs.sh"
. "$ROOT/tests/cli/report_block.sh"
mkdir in.e in.t
some_runs > in.e/runs.jsonl
failed_run coraml CoraML lp 3 >> in.e/runs.jsonl
printf '{"task":"ood","da' >> in.e/runs.jsonl
trial() { # trial SEED HELD BUDGET HIDDEN AUROC
    printf '{"task":"tune", "criterion":"left-out-class", "data":"d", "title":"D", "model":"gpn", "seed":%s, ' "$1"
    printf '"fingerprint":"f", "version":"0", "split":"5/15/80", "left_out":0, "held_out":%s, "halves":false, ' "$2"
    printf '"budget":%s, "config":{"model":"gpn", "hidden":%s, "lr":0.1}, "seconds":2, "training":' "$3" "$4"
    printf '{"epochs":%s,"stop":"epochs","validation_cross_entropy":%s}, ' "$3" "$5"
    printf '"metrics":{"auroc":%s, "accuracy":0.5, "positives":1, "negatives":2}}\n' "$5"
}
{
    trial 101 0 50 64 0.5
    trial 101 0 50 32 0.75
    trial 101 1 50 64 0.7
    trial 101 1 50 32 0.25
    trial 101 1 150 64 0.9
    trial 102 1 150 64 0.6
} > in.t/trials.jsonl
credence report in.e in.t -o report.html -q
report_block report.html 0 experiment > in.json
grep -q '"commands":\[\],"versions":\["0"\],"lines":11,' in.json
# A run that failed and later succeeded is not a failure; the other one is.
grep -q '"failures":\[{"task":"ood","title":"CoraML","shift":null,"model":"LP","seed":3,"error":"it did not work"}\]' in.json
report_block report.html 1 tuning > in.json
# web/test/unit/trials.test.js tests what the page makes of these lines.
grep -q '"tried":null,"files":{},"trials":\[{"task":"tune",' in.json
[ "$(grep -o '"task":"tune"' in.json | wc -l)" = 6 ]
