# exit: 1
# stderr: credence: in.template: line 1: {{value in.a ood own lp auroc_epi shift=dice:0.2}}: there is no such run with shift 'dice:0.2', only without one
. "$ROOT/tests/cli/make_runs.sh"
mkdir in.a
some_runs > in.a/runs.jsonl
echo '{{value in.a ood own lp auroc_epi shift=dice:0.2}}' > in.template
credence page in.template -o page.md
