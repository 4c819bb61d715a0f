# SPDX-License-Identifier: MIT
# A regulariser has one of two weights. Settings that mean the same are tried once. A 0 means no regulariser, whatever
# the options outside the space say about the other weight.
# stderr: ...
tune() { # tune COUNT ARGUMENTS...: expects that many settings
    count=$1
    shift
    rm -rf in.trials
    credence tune graph.npz --config gpn.json -o best.json --trials-dir in.trials --split 20/20/60 --seeds 1 --eta 0 --set max-epochs=1,"$@" -q \
        > in.tried
    [ "$(wc -l < in.trials/trials.jsonl)" = "$count" ] || { echo "$*"; cat in.trials/tried.csv; exit 3; }
}
has() { # has TIMES PATTERN
    [ "$(grep -c "$2" in.trials/trials.jsonl)" = "$1" ] || { echo "$2"; cat in.trials/tried.csv; exit 4; }
}
tune 3 hidden=8 --space 'reg=distance,evidence;reg-strength=0,1e-3'
has 1 '"reg":"none","reg-strength":0,"reg-weight":0,'
has 1 '"reg":"distance","reg-strength":0.001,"reg-weight":0,'
has 1 '"reg":"evidence","reg-strength":0.001,"reg-weight":0,'
tune 3 reg-weight=0.5 --space 'reg=distance,evidence;reg-strength=0,1e-3'
has 1 '"reg":"none","reg-strength":0,"reg-weight":0,'
has 2 '"reg-strength":0.001,"reg-weight":0,'
tune 3 reg-strength=0.5 --space 'reg=distance,evidence;reg-weight=0,1e-3'
has 1 '"reg":"none","reg-strength":0,"reg-weight":0,'
has 2 '"reg-strength":0,"reg-weight":0.001,'
tune 2 reg-strength=0.5 --space 'reg-weight=0,1e-3'
has 1 '"reg":"none","reg-strength":0,"reg-weight":0,'
has 1 '"reg":"evidence","reg-strength":0,"reg-weight":0.001,'
tune 5 hidden=8 --space 'reg=none,distance,evidence;reg-strength=0,1e-3;reg-weight=0,1e-4'
has 1 '"reg":"none","reg-strength":0,"reg-weight":0,'
has 2 '"reg-strength":0.001,"reg-weight":0,'
has 2 '"reg-strength":0,"reg-weight":0.0001,'
# The named grids.
tune 30 hidden=8 --grid quick
has 6 '"reg":"none","reg-strength":0,"reg-weight":0,'
has 24 '"reg":"evidence","reg-strength":[^0,]*0\.[0-9]*,"reg-weight":0,'
tune 84 hidden=8 --grid coarse --space activation=relu
has 4 '"reg":"none","reg-strength":0,"reg-weight":0,'
for reg in distance evidence; do has 40 "\"reg\":\"$reg\",\"reg-strength\":0,\"reg-weight\":[1-9]*[0.e-]"; done
# Weights need a regulariser.
code=0
credence tune graph.npz -o in.none --preset gpn --space reg-strength=1e-3 2> in.err || code=$?
[ $code = 2 ]
grep -q '^credence: the space has weights of a regulariser, but the configuration has none: ' in.err
