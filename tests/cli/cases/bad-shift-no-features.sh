# exit: 1
# stderr: credence: the data have no node features that noise could replace: shift the edges (rewire, dice)
for i in 0 1 2 3 4 5 6 7 8 9; do
    echo "$i,$(((i + 2) % 10))"
    echo "$i,$(((i + 4) % 10))"
done > in.edges.csv
for i in 0 1 2 3 4 5 6 7 8 9; do echo "$i,$((i % 2))"; done > in.labels.csv
credence train in.edges.csv --labels in.labels.csv --model lp -o in.lp.safetensors -q --split 40/20/40
credence evaluate in.lp.safetensors in.edges.csv --labels in.labels.csv --shift bernoulli:0.5
