# With two classes none can be held out: a half of each is, in turn.
# stderr: ...
credence tune graph.npz -o best.json --criterion left-out-class --left-out 2 --split 20/20/60 --eta 0 --seeds 2 \
    --set max-epochs=20 --space 'reg-weight=0,1e-2,1' 2> in.err > in.table
grep -q '^there are only two classes' in.err
trials=best.json.trials/trials.jsonl
[ "$(wc -l < $trials)" = 12 ]
[ "$(grep -c '"part": true' $trials)" = 12 ]
for class in 0 1; do [ "$(grep -c "\"held_out\": $class," $trials)" = 6 ]; done
# Half of the 20 % + 20 % of the class are positives; the other half and the other class validate on.
sed 's/.*"positives": \([0-9]*\), "negatives": \([0-9]*\).*/\1 \2/' $trials |
    awk '{ bad += $1 < 5 || $1 > 12 || $2 < 8 || $2 > 16 } END { exit bad > 0 }'
grep -q '"auroc": 0\.[0-9]' $trials
credence train graph.npz -o model.safetensors --config best.json --left-out 2 --split 20/20/60 -q
