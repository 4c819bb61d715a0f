# exit: 2
# stderr: credence: --latent 8: the model lp has no such option
credence train graph.npz -o out.safetensors --model lp --latent 8
