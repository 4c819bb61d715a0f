# exit: 1
# stderr: credence: in.template: line 3: {{value in.a ood own lp auroc_epi_wo}}: there is no auroc_epi_wo of lp on own
. "$ROOT/tests/cli/make_runs.sh"
mkdir in.a
some_runs > in.a/runs.jsonl
printf 'One.\n\nTwo: %s.\n' '{{value in.a ood own lp auroc_epi_wo}}' > in.template
credence page in.template -o page.md
