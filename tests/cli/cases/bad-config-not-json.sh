# exit: 1
# stderr: credence: in.json: line 2: not JSON: string or '}' expected near end of file
echo '{"hidden": 3,' > in.json
credence train graph.npz -o out.safetensors --config in.json
