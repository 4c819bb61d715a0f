# exit: 2
# stderr: credence: in.json: --dropout 7: expected a number from 0 to 0.999
echo '{"dropout": 7}' > in.json
credence train graph.npz -o out.safetensors --config in.json
