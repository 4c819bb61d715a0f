# exit: 1
# stderr: credence: in.template: line 1: {{value in.a ood own gpn auroc_epi}}: there is no such run without a shift; give shift=NAME, of: dice:0.2:all
. "$ROOT/tests/cli/make_runs.sh"
mkdir in.a
ood_run own Own gpn 1 0.9 0.8 0.8 0.7 | sed 's/"seed"/"shift":"dice:0.2:all","seed"/' > in.a/runs.jsonl
echo '{{value in.a ood own gpn auroc_epi}}' > in.template
credence page in.template -o page.md
