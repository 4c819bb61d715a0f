# exit: 1
# stderr: credence: no_features: has no features, which vgcn needs; lp and gkde do without
echo '{"model": "vgcn"}' > in.json
credence experiment misclassification --data no_features.npz --models lp,config --config in.json --out out
