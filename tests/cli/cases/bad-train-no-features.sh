# exit: 1
# stderr: credence: no_features.npz: has no node features, which the model gpn needs; give --node-features FILE (the models lp and gkde do without)
credence train no_features.npz -o out.safetensors
