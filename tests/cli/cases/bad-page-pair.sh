# exit: 1
# stderr: credence: in.template: line 3: {{diff in.a own ours lp auroc_epi}}: no run of 'ours' has a partner of 'lp' on *
. "$ROOT/tests/cli/make_runs.sh"
mkdir in.a
some_runs > in.a/runs.jsonl
printf 'One.\n\nTwo: %s.\n' '{{diff in.a own ours lp auroc_epi}}' > in.template
credence page in.template -o page.md
