# SPDX-License-Identifier: MIT
# A split without a wrong answer gives no score: the trial says so, loses, and is not tried again.
# stderr: ...
credence generate -o easy.npz --nodes 150 --classes 3 --vocabulary 40 --lookalikes 0 --words 30 --strength 1 --homophily 1
why='all 30 validation nodes are answered right, so there is no wrong answer to detect'
set -- easy.npz --config gpn.json --criterion own-errors --split 20/20/60 --seeds 2 --set max-epochs=30 -q
# A rate like 1e-9 learns nothing, so there is something to detect.
tune() { credence tune "$@" --eta 0 --space 'lr=0.01,1e-9;activation=relu,gelu' -o best.json; }
tune "$@"
trials=best.json.trials/trials.jsonl
[ "$(wc -l < $trials)" = 8 ]
[ "$(grep -c "\"training\":{.*\"metrics\":{\"auroc\":null,\"accuracy\":1,\"positives\":0,\"negatives\":30},\"error\":\"$why\"}" $trials)" -ge 2 ] # one a setting is enough
if grep -q diverged $trials; then exit 3; fi
grep -qx '  "lr": 1e-09,' best.json
[ "$(grep -Ecx "[34],failed,1,2,0.01,(relu|gelu),,,,\"$why\"" best.json.trials/tried.csv)" = 2 ]
tune "$@"
[ "$(wc -l < $trials)" = 8 ]
# If there is no other setting, nothing can be chosen. Few epochs say nothing about more epochs.
all() {
    code=0
    credence tune "$@" --space 'lr=0.01;activation=relu,gelu' -o none.json 2> in.err || code=$?
    [ $code = 1 ]
    grep -qx "credence: every setting failed; the first one because: $why" in.err
    [ "$(wc -l < in.err)" = 1 ]
    [ ! -e none.json ]
}
trials=none.json.trials/trials.jsonl
all "$@" --finalists 1 --min-epochs 25
[ "$(wc -l < $trials)" = 2 ]
[ "$(grep -c '"budget":25,' $trials)" = 2 ]
for again in 4 5; do
    all "$@" --eta 0
    [ "$(wc -l < $trials)" = 6 ] || exit "$again"
    [ "$(grep -c '"budget":30,' $trials)" = 4 ]
done
