# exit: 1
# stderr: credence: in.template: line 3: {{jsonl in.a/runs.jsonl seed=99 fields=seed}}: in.a/runs.jsonl: no line fits
. "$ROOT/tests/cli/make_runs.sh"
mkdir in.a
some_runs > in.a/runs.jsonl
printf 'One.\n\nTwo: %s.\n' '{{jsonl in.a/runs.jsonl seed=99 fields=seed}}' > in.template
credence page in.template -o page.md
