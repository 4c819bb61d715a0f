# exit: 1
# stderr: credence: in.template: line 3: {{value in.a ood}}: expected {{value DIR TASK DATA MODEL METRIC *
. "$ROOT/tests/cli/make_runs.sh"
mkdir in.a
some_runs > in.a/runs.jsonl
printf 'One.\n\nTwo: %s.\n' '{{value in.a ood}}' > in.template
credence page in.template -o page.md
