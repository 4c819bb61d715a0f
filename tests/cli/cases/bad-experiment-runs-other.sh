# exit: 1
# stderr: credence: in.folder/runs.jsonl: line 2: not a run, expected an object with task, data, title, model, seed, and metrics or an error
mkdir in.folder
echo '{"task":"ood","data":"a","title":"A","model":"gpn","seed":1,"error":"none"}' > in.folder/runs.jsonl
echo '{"task":"ood"}' >> in.folder/runs.jsonl
credence experiment misclassification --data graph.npz --models gpn --out in.folder
