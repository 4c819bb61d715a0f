# exit: 1
# stderr: credence: in.template: line 3: {{table nowhere}}: ./nowhere: No such file or directory
. "$ROOT/tests/cli/make_runs.sh"
mkdir in.a
some_runs > in.a/runs.jsonl
printf 'One.\n\nTwo: %s.\n' '{{table nowhere}}' > in.template
credence page in.template -o page.md
