# exit: 1
# stderr: credence: in.template: line 3: {{command in.a}}: ./in.a/command.txt: No such file or directory
. "$ROOT/tests/cli/make_runs.sh"
mkdir in.a
some_runs > in.a/runs.jsonl
printf 'One.\n\nTwo: %s.\n' '{{command in.a}}' > in.template
credence page in.template -o page.md
