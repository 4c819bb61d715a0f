# SPDX-License-Identifier: MIT
# Settings whose training fails lose, are reported as failed, and are not tried again.
# stderr: ...
tune() {
    credence tune graph.npz --config gpn.json -o best.json --split 20/20/60 --seeds 2 --finalists 4 --min-epochs 5 -q \
        --set max-epochs=10 --space 'reg=distance,evidence;reg-weight=1e30,1e-4;lr=1e6,0.01'
}
tune
grep -qx '  "lr": 0.01,' best.json
grep -qx '  "reg-weight": 0.0001,' best.json
# The step is so large that the first regulariser's loss is NaN after it; the second one's is NaN from the start.
[ "$(grep -c '"diverged":true' best.json.trials/trials.jsonl)" = 2 ]
tail -n 2 best.json.trials/tried.csv > in.last
[ "$(grep -Ec '^[78],failed,1,1,(distance|evidence),1e\+30,1000000,,,,.* a number' in.last)" = 2 ]
cp best.json.trials/trials.jsonl in.before
tune
cmp in.before best.json.trials/trials.jsonl
# If all settings fail, there is nothing to choose.
code=0
credence tune graph.npz --config gpn.json -o none.json --split 20/20/60 --seeds 1 -q --set reg=distance,reg-weight=1e30 \
    --space 'lr=1e6' 2> in.err || code=$?
[ $code = 1 ]
[ "$(wc -l < in.err)" = 1 ]
grep -qx 'credence: every setting failed; the first one because: the loss stopped being a number' in.err
[ ! -e none.json ]
