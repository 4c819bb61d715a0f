# exit: 1
# stderr: credence: in.template: line 3: {{tabel in.a}}: unknown directive 'tabel'; there are: table, *
. "$ROOT/tests/cli/make_runs.sh"
mkdir in.a
some_runs > in.a/runs.jsonl
printf 'One.\n\nTwo: %s.\n' '{{tabel in.a}}' > in.template
credence page in.template -o page.md
