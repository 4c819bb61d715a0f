# exit: 1
# stderr: credence: foreign.safetensors: has no tensor named 'encoder.0.weight'
credence predict foreign.safetensors graph.npz -o out.csv
