# exit: 2
# stderr: credence: in.json: "dropout" has a value that is neither number, string nor true or false
echo '{"dropout": [1]}' > in.json
credence train graph.npz -o out.safetensors --config in.json
