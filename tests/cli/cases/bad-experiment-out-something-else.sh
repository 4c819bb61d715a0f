# exit: 1
# stderr: credence: in.folder: holds something else ('mine'), expected an experiment's folder, with runs.jsonl, or an empty or new one
mkdir in.folder
: > in.folder/mine
credence experiment misclassification --data graph.npz --models gpn --out in.folder
