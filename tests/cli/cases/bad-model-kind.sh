# exit: 2
# stderr: credence: --model mlp: expected gpn
credence train graph.npz -o out.safetensors --model mlp
