# stderr: 150 of 150 nodes flagged (100.0 %): do not trust their answers
# stderr: 0 of 150 nodes flagged (0.0 %): do not trust their answers
credence predict model.safetensors graph.npz --reject-above -1e30 -o a.csv
credence predict model.safetensors graph.npz --reject-above=0 --reject-by epistemic_features -o b.csv
