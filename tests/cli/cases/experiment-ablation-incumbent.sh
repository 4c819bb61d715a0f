# What a row has chosen is tried to the end in the next row's search, even where many settings are better on the
# first rung.
credence generate -o in.npz --nodes 100 --classes 4 --vocabulary 30 --lookalikes 1 --words 10 --seed 44
credence experiment ablation --data in.npz --left-out 1 --split 20/20/60 --seeds 1 --set max-epochs=40 --out out -q \
    --tune-space 'entropy-weight=0;activation=gelu;reg=distance;reg-weight=0,range:0.008..0.032/0.002' > table
tried=out/tuning/in/gpn-ce-act-gd.csv
# Of 14 settings 8 go on, and 7 of them because they are the best.
[ "$(grep -Ec '^[0-9]+,(chosen|finalist),2,2,distance,' $tried)" = 7 ]
[ "$(grep -Ec '^[0-9]+,eliminated,1,1,distance,' $tried)" = 6 ]
[ "$(grep -Ec '^8,finalist,2,2,none,' $tried)" = 1 ]
# It was not among them: all have a lower cross-entropy on the first split.
awk -F '"cross_entropy": ' '/"seed": 101,/ { split($2, score, ","); if (/"reg": "none"/) none = score[1]
    else if (score[1] > worst) worst = score[1] } END { exit !(none > worst) }' out/tuning/in/trials.jsonl
# Values of one's own may lack what the plain GPN has (entropy weight 1e-4, ReLU) or what the row before has chosen:
# these take part all the same, and no row gets worse.
credence experiment ablation --data graph.npz --left-out 1 --split 20/20/60 --seeds 1 --set max-epochs=30 --out lack -q \
    --tune-space 'entropy-weight=3;activation=hardtanh;reg=evidence;reg-weight=300' > table
for row in gpn-ce gpn-ce-act gpn-ce-act-gd; do
    [ "$(grep -c . lack/tuning/graph/$row.csv)" = 3 ]
    grep -q '"entropy-weight": 0.0001,\{0,1\}' lack/tuning/graph/$row.json
    grep -q '"activation": "relu"' lack/tuning/graph/$row.json
    grep -q '"reg": "none"' lack/tuning/graph/$row.json
done
