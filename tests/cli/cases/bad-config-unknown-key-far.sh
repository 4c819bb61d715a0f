# exit: 2
# stderr: credence: in.json: "zzzzzzzz" is not an option
echo '{"zzzzzzzz": 3}' > in.json
credence train graph.npz -o out.safetensors --config in.json
