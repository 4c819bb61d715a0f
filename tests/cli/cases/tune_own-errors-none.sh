# A split on which no answer is wrong gives no score: the trial says so, loses, and is not tried again.
# stderr: ...
why='all 21 validation nodes are answered right, so there is no wrong answer to detect'
set -- graph.npz --criterion own-errors --left-out 1 --split 20/20/60 --seeds 2 --set max-epochs=30 -q
tune() { credence tune "$@" --eta 0 --space 'reg-weight=0,1e-2;activation=relu,gelu' -o best.json; }
tune "$@"
trials=best.json.trials/trials.jsonl
[ "$(wc -l < $trials)" = 8 ]
[ "$(grep -c "\"training\": {.*\"metrics\": {\"auroc\": null, \"accuracy\": 1, \"positives\": 0, \"negatives\": 21}, \"error\": \"$why\"}" $trials)" -ge 2 ] # one a setting is enough
if grep -q diverged $trials; then exit 3; fi
grep -qx '  "reg-weight": 0.01,' best.json
[ "$(grep -Ecx "[34],failed,1,2,0,(relu|gelu),,,,\"$why\"" best.json.trials/tried.csv)" = 2 ]
grep -q "| failed: $why |" best.json.trials/tried.md
tune "$@"
[ "$(wc -l < $trials)" = 8 ]
# If there is no other setting, nothing can be chosen. With few epochs it says nothing about more.
all() {
    code=0
    credence tune "$@" --space 'reg-weight=0;activation=relu,gelu' -o none.json 2> in.err || code=$?
    [ $code = 1 ]
    grep -qx "credence: every setting failed; the first one because: $why" in.err
    [ "$(wc -l < in.err)" = 1 ]
    [ ! -e none.json ]
}
trials=none.json.trials/trials.jsonl
all "$@" --finalists 1 --min-epochs 25
[ "$(wc -l < $trials)" = 2 ]
[ "$(grep -c '"budget": 25,' $trials)" = 2 ]
for round in 1 2; do
    all "$@" --eta 0
    [ "$(wc -l < $trials)" = 6 ]
    [ "$(grep -c '"budget": 30,' $trials)" = 4 ]
done
