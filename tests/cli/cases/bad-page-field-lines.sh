# exit: 1
# stderr: credence: in.template: line 1: {{field in.a/runs.jsonl seed model=gpn}}: in.a/runs.jsonl: expected one line that fits, found [0-9]*
. "$ROOT/tests/cli/make_runs.sh"
mkdir in.a
some_runs > in.a/runs.jsonl
echo '{{field in.a/runs.jsonl seed model=gpn}}' > in.template
credence page in.template -o page.md
