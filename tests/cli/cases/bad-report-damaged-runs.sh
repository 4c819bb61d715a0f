# exit: 1
# stderr: credence: in.d/runs.jsonl: line 2: not JSON: *
. "$ROOT/tests/cli/make_runs.sh"
mkdir in.d
{
    ood_run own Own lp 1 0.5 0.6 0.7 null
    echo '{"task":'
    ood_run own Own lp 2 0.5 0.6 0.7 null
} > in.d/runs.jsonl
credence report in.d -o report.html -q
