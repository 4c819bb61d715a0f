# exit: 2
# stderr: credence: in.json: "hiden" is not an option (did you mean hidden\?)
echo '{"hiden": 3}' > in.json
credence train graph.npz -o out.safetensors --config in.json
