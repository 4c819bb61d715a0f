# exit: 1
# stderr: credence: in.json: line 1: not JSON: duplicate object key near '"lr"'
echo '{"lr": 1, "lr": 2}' > in.json
credence train graph.npz -o out.safetensors --config in.json
