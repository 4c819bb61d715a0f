# exit: 1
# stderr: credence: in.d/runs.jsonl: there are no runs in it yet
mkdir in.d
: > in.d/runs.jsonl
credence report in.d -o report.html -q
