# exit: 1
# stderr: credence: in.template: line 1: {{value in.a ood own gpn auroc_epi shift=dice:0.3}}: there is no such run with shift 'dice:0.3'; there are: dice:0.2:all, normal:0.2:all
. "$ROOT/tests/cli/make_runs.sh"
mkdir in.a
for shift in normal dice; do
    ood_run own Own gpn 1 0.9 0.8 0.8 0.7 | sed "s/\"seed\"/\"shift\":\"$shift:0.2:all\",\"seed\"/"
done > in.a/runs.jsonl
echo '{{value in.a ood own gpn auroc_epi shift=dice:0.3}}' > in.template
credence page in.template -o page.md
