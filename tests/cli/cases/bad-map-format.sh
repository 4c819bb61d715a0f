# exit: 2
# stderr: credence: --format: expected csv, npz or jsonl, found 'png'*
credence map model.safetensors graph.npz --format png -o a.csv
