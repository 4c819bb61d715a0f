# exit: 1
# stderr: credence: in.json: expected a JSON object of options
echo '[1, 2]' > in.json
credence train graph.npz -o out.safetensors --config in.json
