# SPDX-License-Identifier: MIT
# The setting with the lowest mean cross-entropy wins, checked against the trials, and train accepts it.
# stderr: ...
credence tune graph.npz --config gpn.json -o best.json --left-out 1 --split 20/20/60 --eta 0 --seeds 2 --set max-epochs=25 \
    --space 'reg-weight=0,1e-3,1;activation=relu,gelu;reg=distance,evidence' > in.table
trials=best.json.trials/trials.jsonl
# A weight of 0 needs no regulariser: 2 x 2 x 2 settings and 2 without.
[ "$(wc -l < $trials)" = 20 ]
[ "$(grep -c '"seed":101,' $trials)" = 10 ]
[ "$(grep -c '"seed":102,' $trials)" = 10 ]
sed 's/.*"activation":\("[a-z]*"\).*"reg":\("[a-z]*"\),.*"reg-weight":\([^,]*\),.*"cross_entropy":\([^,]*\),"accuracy":\([^}]*\).*/\1 \2 \3 \4 \5/' \
    $trials > in.trials
awk '{ key = $1 " " $2 " " $3; ce[key] += $4 / 2; accuracy[key] += $5 / 2 }
     END { for (key in ce) printf "%.9f %.6f %s\n", ce[key], accuracy[key], key }' in.trials | sort -n > in.means
[ "$(wc -l < in.means)" = 10 ]
read -r ce accuracy activation reg weight < in.means
grep -qx "  \"activation\": $activation," best.json
grep -qx "  \"reg\": $reg," best.json
grep -qx "  \"reg-weight\": $weight," best.json
grep -qx '  "max-epochs": 25' best.json
if grep -Eq 'seed|threads|left-out' best.json; then exit 3; fi
# The table has every setting once, the best first, with the same means.
[ "$(wc -l < best.json.trials/tried.csv)" = 11 ]
sed -n 2p best.json.trials/tried.csv | grep -q '^1,chosen,1,2,'
awk -F, 'NR > 1 { printf "%.9f %.6f\n", $8, $10 }' best.json.trials/tried.csv > in.written
cut -d ' ' -f 1,2 in.means | diff - in.written
grep -q '"tried":\[{"rank":1,"state":"chosen",' best.json.trials/tried.json
sed -n 2p in.table | grep -q '^1 .* chosen$'
# Training with the result and a seed gets what the trial measured with that seed.
credence train graph.npz -o model.safetensors --config best.json --left-out 1 --split 20/20/60 --seed 101 --json -q |
    grep -Eo '"validation_cross_entropy": *[0-9.]*' | grep -Eo '[0-9.]+$' > in.trained
grep '"seed":101,' $trials | grep -F "\"activation\":$activation,\"reg\":$reg,\"reg-strength\":0,\"reg-weight\":$weight," |
    sed 's/.*"cross_entropy":\([^,]*\),.*/\1/' | cmp - in.trained
