# exit: 2
# stderr: credence: --format: expected csv, npz or jsonl, found 'xml'; see 'credence predict --help'
credence predict model.safetensors graph.npz --format xml
