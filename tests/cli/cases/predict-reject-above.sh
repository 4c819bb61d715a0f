# SPDX-License-Identifier: MIT
# stderr: 150 of 150 nodes flagged (100.0 %), those with aleatoric above -1e+30: do not trust their answers
# stderr: 150 answers written to a.csv, 150 of them flagged
# stderr: none of 150 nodes flagged: the most doubtful has epistemic_features -*
# stderr: 150 answers written to b.csv, 0 of them flagged
credence predict model.safetensors graph.npz --reject-above -1e30 -o a.csv
credence predict gpn.safetensors graph.npz --reject-above=0 --reject-by epistemic_features -o b.csv
