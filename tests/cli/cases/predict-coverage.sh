# stderr: 30 of 150 nodes flagged (20.0 %): do not trust their answers
credence predict model.safetensors graph.npz --coverage 0.8 -o a.csv
head -n 1 a.csv | grep -q ',reject$'
[ "$(grep -c ',1$' a.csv)" = 30 ]
credence predict model.safetensors graph.npz --coverage 0.8 --reject-by aleatoric -q -o b.csv
[ "$(grep -c ',1$' b.csv)" = 30 ]
