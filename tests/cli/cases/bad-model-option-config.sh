# exit: 2
# stderr: credence: in.json: --reg none: the model appnp has no such option
echo '{"reg": "none", "model": "appnp"}' > in.json
credence train graph.npz -o out.safetensors --config in.json
