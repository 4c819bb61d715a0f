# exit: 1
# stderr: credence: in.d/tried.jsonl: line 1: not a JSON object
mkdir in.d
printf '{"task":"tune","criterion":"val-ce","data":"d","title":"D","model":"gpn","seed":1,"config":{},"metrics":{}}\n' > in.d/trials.jsonl
echo '[1]' > in.d/tried.jsonl
credence report in.d -o report.html -q
