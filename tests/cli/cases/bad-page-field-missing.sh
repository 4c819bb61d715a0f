# exit: 1
# stderr: credence: in.template: line 1: {{field in.a/runs.jsonl sead model=gpn task=ood data=coraml seed=2}}: no line has the field 'sead'
. "$ROOT/tests/cli/make_runs.sh"
mkdir in.a
some_runs > in.a/runs.jsonl
echo '{{field in.a/runs.jsonl sead model=gpn task=ood data=coraml seed=2}}' > in.template
credence page in.template -o page.md
