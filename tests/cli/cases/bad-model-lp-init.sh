# exit: 2
# stderr: credence: the model lp has no weights that could start from others
credence train graph.npz -o out.safetensors -q --model lp --init model.safetensors
