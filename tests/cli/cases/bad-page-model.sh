# exit: 1
# stderr: credence: in.template: line 3: {{value in.a ood coraml our auroc_epi}}: there is no run of model 'our'; there are: lp (LP), gpn (GPN), ours (Ours)
. "$ROOT/tests/cli/make_runs.sh"
mkdir in.a
some_runs > in.a/runs.jsonl
printf 'One.\n\nTwo: %s.\n' '{{value in.a ood coraml our auroc_epi}}' > in.template
credence page in.template -o page.md
