# SPDX-License-Identifier: MIT
# Rungs: few epochs for all, then more for the best third, full training for the finalists. A training that ended by
# itself is not repeated.
# stderr: ...
credence tune graph.npz --config gpn.json -o best.json --split 20/20/60 --seeds 2 --min-epochs 3 --finalists 2 \
    --set max-epochs=40,patience=5 --space 'reg-weight=range:0..0.8/0.1;activation=relu,gelu' --json -q > in.object
trials=best.json.trials/trials.jsonl
tr '{' '\n' < in.object | grep -o '^"settings":[0-9]*,"splits":[0-9]*,"epochs":[0-9a-z]*' > in.rungs
diff - in.rungs << 'END'
"settings":18,"splits":1,"epochs":3
"settings":6,"splits":2,"epochs":9
"settings":2,"splits":2,"epochs":null
END
[ "$(grep -c '"budget":3,' $trials)" = 18 ]
[ "$(grep -c '"budget":9,' $trials)" = 12 ]
[ "$(grep -c '"budget":40,' $trials)" -le 4 ]
# The settings that went on are better than those that did not.
sed -n 's/.*"budget":3,.*"activation":"\([a-z]*\)".*"reg-weight":\([^,]*\),.*"cross_entropy":\([^,]*\),.*/\3 \1 \2/p' \
    $trials | sort -n | head -n 6 | cut -d ' ' -f 2,3 | sort > in.best
sed -n 's/.*"seed":101,.*"budget":9,.*"activation":"\([a-z]*\)".*"reg-weight":\([^,]*\),.*/\1 \2/p' $trials |
    sort > in.went_on
cmp in.best in.went_on
[ "$(grep -c ',eliminated,1,1,' best.json.trials/tried.csv)" = 12 ]
[ "$(grep -c ',eliminated,2,2,' best.json.trials/tried.csv)" = 4 ]
[ "$(grep -c ',finalist,3,2,' best.json.trials/tried.csv)" = 1 ]
# A trial that patience ended answers for every larger budget: a full search repeats none of those.
sed -n 's/.*"seed":\([0-9]*\),.*"config":\({[^}]*}\).*"stop":"patience".*/\1 \2/p' $trials | sort > in.ended
cp $trials in.before
credence tune graph.npz --config gpn.json -o full.json --split 20/20/60 --seeds 2 --eta 0 --trials-dir best.json.trials -q \
    --set max-epochs=40,patience=5 --space 'reg-weight=range:0..0.8/0.1;activation=relu,gelu'
tail -n +"$(($(wc -l < in.before) + 1))" $trials |
    sed 's/.*"seed":\([0-9]*\),.*"config":\({[^}]*}\).*/\1 \2/' | sort > in.added
[ -z "$(comm -12 in.ended in.added)" ]
[ -z "$(uniq -d in.added)" ]
# However close eta is to 1, a setting drops out on every rung.
credence tune graph.npz --config gpn.json -o slow.json --split 20/20/60 --seeds 1 --min-epochs 1 --finalists 1 --eta 1.5 --set max-epochs=4 \
    --space 'activation=relu,gelu,sigmoid' --json -q | tr '{' '\n' | grep -o '^"settings":[0-9]*,"splits"' > in.rungs
[ "$(tr -dc '0-9\n' < in.rungs | tr '\n' ' ')" = '3 2 1 ' ]
