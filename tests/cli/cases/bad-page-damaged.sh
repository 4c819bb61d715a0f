# exit: 1
# stderr: credence: ./in.a/runs.jsonl: line 2: not JSON: *
. "$ROOT/tests/cli/make_runs.sh"
mkdir in.a
{ some_runs | head -n 1; echo '{"task":'; some_runs; } > in.a/runs.jsonl
echo '{{table in.a}}' > in.template
credence page in.template -o page.md
