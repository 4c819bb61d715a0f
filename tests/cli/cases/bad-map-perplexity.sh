# exit: 2
# stderr: credence: --perplexity: expected a number of at least 1, found '0.5'*
credence map model.safetensors graph.npz --perplexity 0.5 -o a.csv
