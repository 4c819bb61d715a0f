# stderr: 150 of 150 nodes flagged (100.0 %), those with aleatoric above -1e+30: do not trust their answers
# stderr: none of 150 nodes flagged: the most doubtful has epistemic_features -*
credence predict model.safetensors graph.npz --reject-above -1e30 -o a.csv
credence predict gpn.safetensors graph.npz --reject-above=0 --reject-by epistemic_features -o b.csv
