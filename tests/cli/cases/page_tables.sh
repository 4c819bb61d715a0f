# The table in every form, of runs in any order, failures and repetitions among them.
. "$ROOT/tests/cli/make_runs.sh"
mkdir in.a
some_runs > in.a/runs.jsonl
for format in text markdown latex csv json; do printf '{{table in.a format=%s}}\n' $format; done > in.template
credence page in.template -o page
some_runs | sort -r | grep -v '"error"' > in.a/runs.jsonl
credence page in.template -o other
cmp page other
grep -v '^[ {}[]*"' page | grep -v '^ *[]}{,]*$'
# JSON says the same, and the published value beside it.
grep -q '"published": 86.28' page
grep -c '"best": true' page
