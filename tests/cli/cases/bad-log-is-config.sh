# exit: 2
# stderr: credence: in.json: is both the input and the output
echo '{"hidden": 8}' > in.json
credence train graph.npz -o out.safetensors --config in.json --log in.json
