# exit: 1
# stderr: credence: in.folder/runs.jsonl: line 1: not JSON: *
mkdir in.folder
echo hello > in.folder/runs.jsonl
credence experiment misclassification --data graph.npz --models gpn --out in.folder
