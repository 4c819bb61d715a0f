# SPDX-License-Identifier: MIT
# Random search: that many different settings of the space, the same ones for the same seed.
# stderr: ...
for seed in 1 2; do
    credence tune graph.npz --config gpn.json -o $seed.json --split 20/20/60 --seeds 1 --eta 0 --search random --trials 12 \
        --seed $seed --set max-epochs=2 -q \
        --space 'reg-weight=0,decades:-5..-1;hidden=range:4..9;features=none|binary,rownorm;dropout=range:0..0.5/0.25'
    cut -d , -f 5- $seed.json.trials/tried.csv > in.$seed
    sed 's/.*"features":\("[a-z,]*"\),.*"hidden":\([0-9]*\),.*"dropout":\([0-9.]*\),.*"reg-weight":\([^,]*\),.*/\1 \2 \3 \4/' \
        $seed.json.trials/trials.jsonl | sort > in.values
    [ "$(uniq < in.values | wc -l)" = 12 ]
    awk '{ bad += $2 < 4 || $2 > 9 || ($4 != 0 && ($4 < 1e-5 || $4 > 0.1)) || ($3 != 0 && $3 != 0.25 && $3 != 0.5)
           plain += $1 == "\"none\""; zero += $4 == 0 }
         END { exit bad > 0 || plain == 0 || plain == NR || zero == 0 || zero == NR }' in.values
done
if cmp -s in.1 in.2; then exit 3; fi
credence tune graph.npz --config gpn.json -o again.json --split 20/20/60 --seeds 1 --eta 0 --search random --trials 12 --seed 1 -q \
    --space 'reg-weight=0,decades:-5..-1;hidden=range:4..9;features=none|binary,rownorm;dropout=range:0..0.5/0.25' \
    --set max-epochs=2
cmp 1.json again.json
# A space with fewer settings gives all it has.
credence tune graph.npz --config gpn.json -o few.json --split 20/20/60 --seeds 1 --eta 0 --search random --trials 12 \
    --space 'activation=relu,gelu' --set max-epochs=2 --json -q | grep -q '"settings":2,'
# Whole numbers stay within a range whose ends are not whole.
credence tune graph.npz --config gpn.json -o whole.json --split 20/20/60 --seeds 1 --eta 0 --search random --trials 12 \
    --space 'hidden=range:4.2..6.8' --set max-epochs=1 --json -q | grep -q '"settings":2,'
sed 's/.*"hidden":\([0-9.]*\),.*/\1/' whole.json.trials/trials.jsonl | sort | tr '\n' ' ' | grep -qx '5 6 '
