# Options are tuned first, some more from row to row, then the table is made.
space='reg=distance,evidence;reg-weight=0,1e-2;entropy-weight=0,1e-4;activation=relu,gelu'
ablation() {
    credence experiment ablation --data graph.npz --seeds 2 --left-out 1 --split 20/20/60 --set max-epochs=12 \
        --tune-space "$space" --eta 0 -q "$@"
}
ablation --out out > table
cmp table out/table.txt
for title in GPN GPN-CE GPN-CE-ACT GPN-CE-ACT-GD; do grep -q "^  $title  *[>0-9]" table; done
head -n 1 table | grep -q '^Ablation'
[ "$(wc -l < out/runs.jsonl)" = 8 ]
[ "$(grep -c '^{"task":"ablation","data":"graph",.*"metrics":{"task":"ood"' out/runs.jsonl)" = 8 ]
# Rows share their trials: 12 settings (a weight of 0 is the same for both regularisers), each on two splits that
# are not those of the table.
trials=out/tuning/graph/trials.jsonl
[ "$(wc -l < $trials)" = 24 ]
[ "$(sed 's/"seconds".*//' $trials | sort -u | wc -l)" = 24 ]
[ "$(grep -c '"seed": 10[12], ' $trials)" = 24 ]
# What was chosen has the lowest mean cross-entropy of all that the row may choose from.
lowest() { # lowest PATTERN: of the settings that have it, the configuration with the lowest
    grep -e "$1" $trials | sed 's/.*"config": \({[^}]*}\).*"cross_entropy": \([0-9.e-]*\).*/\2 \1/' |
        awk '{ score = $1; $1 = ""; sum[$0] += score }
            END { for (c in sum) if (best == "" || sum[c] < sum[best]) best = c; print best }'
}
same() { [ "$(tr -d ' \n' < "$1")" = "$(echo "$2" | tr -d ' ')" ]; }
same out/tuning/graph/gpn-ce.json "$(lowest '"activation": "relu", "reg": "none"')"
same out/tuning/graph/gpn-ce-act.json "$(lowest '"reg": "none"')"
same out/tuning/graph/gpn-ce-act-gd.json "$(lowest '')"
for row in gpn-ce gpn-ce-act gpn-ce-act-gd; do
    sed -n '2s/^1,chosen,.*/&/p' out/tuning/graph/$row.csv | grep -q .
    grep -q '^| 1 |.* chosen |$' out/tuning/graph/$row.md
done
# As 'credence tune' finds it.
tune() {
    credence tune graph.npz --preset gpn --left-out 1 --split 20/20/60 --seeds 2 --eta 0 \
        --set max-epochs=12,features=auto \
        --out in.trials -q "$@"
}
tune --space "$space" -o in.gd.json > tried
cmp in.gd.json out/tuning/graph/gpn-ce-act-gd.json
tune --space entropy-weight=0,1e-4 -o in.ce.json > tried
cmp in.ce.json out/tuning/graph/gpn-ce.json
# The runs have what was chosen, and measure what the task ood measures; the first row is the GPN.
credence experiment ood --data graph.npz --models gpn,config --config in.gd.json --title GPN-CE-ACT-GD --seeds 2 \
    --left-out 1 --split 20/20/60 --set max-epochs=12 --out in.ood -q > table
for pair in gpn:gpn gpn-ce-act-gd:config; do
    sed -n "s/.*\"model\":\"${pair%:*}\",.*\(\"seed\":[12],\).*\(\"config\":.*\)/\1\2/p" out/runs.jsonl | sort > in.a
    sed -n "s/.*\"model\":\"${pair#*:}\",.*\(\"seed\":[12],\).*\(\"config\":.*\)/\1\2/p" in.ood/runs.jsonl | sort > in.b
    [ "$(wc -l < in.a)" = 2 ]
    cmp in.a in.b
done
# Again: nothing is done, and all is as it was; more runs side by side change nothing, nor does the choice of rows.
cp -R out in.before
ablation --out out > table
diff -r out in.before
ablation --out one --jobs 1 > table
for file in table.txt table.md table.tex table.csv table.json command.txt tuning/graph/gpn-ce-act-gd.json; do
    cmp out/$file one/$file
done
ablation --models gpn-ce-act --out few > table
cmp few/tuning/graph/gpn-ce-act.json out/tuning/graph/gpn-ce-act.json
[ "$(wc -l < few/tuning/graph/trials.jsonl)" = 8 ]
[ "$(wc -l < few/runs.jsonl)" = 2 ]
[ ! -e few/tuning/graph/gpn-ce-act-gd.json ]
grep -qx "credence experiment ablation .* --tune-space '$space' --eta 0 --out DIR" out/command.txt
