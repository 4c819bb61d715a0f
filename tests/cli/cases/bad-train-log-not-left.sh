# exit: 1
# stderr: credence: unlabelled.npz: no node has a label, so there is nothing to learn; give --labels FILE, or a folder that has everything
credence train unlabelled.npz -o out.safetensors --log log.jsonl
