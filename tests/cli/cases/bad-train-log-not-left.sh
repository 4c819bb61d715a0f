# exit: 1
# stderr: credence: no node has a label: there is nothing to split
credence train unlabelled.npz -o out.safetensors --log log.jsonl
