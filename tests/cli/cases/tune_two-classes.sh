# SPDX-License-Identifier: MIT
# Of two classes, one held out leaves one: it is cut in two.
# stderr: ...
credence tune graph.npz --config gpn.json -o best.json --criterion left-out-class --left-out 2 --split 20/20/60 --eta 0 --seeds 2 \
    --set max-epochs=20 --space 'reg-weight=0,1e-2,1' 2> in.err > in.table
grep -q '^there are only two classes' in.err
trials=best.json.trials/trials.jsonl
[ "$(wc -l < $trials)" = 12 ]
[ "$(grep -c '"halves":true' $trials)" = 12 ]
for class in 0 1; do [ "$(grep -c "\"held_out\":$class," $trials)" = 6 ]; done
# The positives are all nodes of the class that training or validation could use, 20 % and 20 %; the negatives are the
# validation nodes of the other class, 20 %.
sed 's/.*"positives":\([0-9]*\),"negatives":\([0-9]*\).*/\1 \2/' $trials | sort | uniq -c |
    awk '{ print $1, $2, $3 }' > in.counts
printf '6 12 9\n6 18 6\n' | cmp - in.counts
grep -q '"auroc":0\.[0-9]' $trials
credence train graph.npz -o model.safetensors --config best.json --left-out 2 --split 20/20/60 -q
