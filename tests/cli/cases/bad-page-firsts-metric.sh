# exit: 1
# stderr: credence: in.template: line 1: {{firsts in.a ours auroc_eip}}: no run has the metric 'auroc_eip'; there are: id_acc, *
. "$ROOT/tests/cli/make_runs.sh"
mkdir in.a
some_runs > in.a/runs.jsonl
echo '{{firsts in.a ours auroc_eip}}' > in.template
credence page in.template -o page.md
