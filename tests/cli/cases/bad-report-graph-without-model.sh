# exit: 2
# stderr: credence: graph.npz: a graph has no use in a report without a model*
mkdir in.runs
echo '{}' > in.runs/runs.jsonl
credence report in.runs graph.npz
