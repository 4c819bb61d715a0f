# exit: 1
# stderr: credence: in.template: line 3: {{table in.a mdoels=gpn}}: unknown key 'mdoels', expected {{table DIR *
. "$ROOT/tests/cli/make_runs.sh"
mkdir in.a
some_runs > in.a/runs.jsonl
printf 'One.\n\nTwo: %s.\n' '{{table in.a mdoels=gpn}}' > in.template
credence page in.template -o page.md
