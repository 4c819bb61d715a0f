# exit: 1
# stderr: credence: in.template: line 1: {{value in.a ood own config auroc_epi}}: several rows fit; give the title of one model
. "$ROOT/tests/cli/make_runs.sh"
mkdir in.a
for title in One Two; do
    ood_run own Own config 1 0.5 0.5 0.5 0.5 | sed "s/\"config\",\"seed\"/\"config\",\"model_title\":\"$title\",\"seed\"/"
done > in.a/runs.jsonl
echo '{{value in.a ood own config auroc_epi}}' > in.template
credence page in.template -o page.md
