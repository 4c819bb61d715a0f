# SPDX-License-Identifier: MIT
# Every mistake is one line, found before anything is written.
# stderr: ...
fails() { # fails CODE PATTERN ARGUMENTS...
    expected=$1
    pattern=$2
    shift 2
    code=0
    credence tune "$@" > in.out 2> in.err || code=$?
    # shellcheck disable=SC2254 # a pattern is what it is
    case $(cat in.err) in
        $pattern) ;;
        *) echo "$*"; cat in.err; exit 3 ;;
    esac
    if [ $code != "$expected" ]; then echo "$*: $code"; exit 4; fi
    [ "$(wc -l < in.err)" = 1 ]
    [ ! -s in.out ]
    [ ! -e best.json ]
    [ ! -e best.json.trials ]
}
set -- graph.npz -o best.json --config gpn.json
fails 2 "credence: --space: 'reg-wieght' is no option of training (did you mean reg-weight?)" "$@" --space reg-wieght=1
fails 2 "credence: --space: 'xyzzyx' is no option of training" "$@" --space xyzzyx=1
fails 2 "credence: --space: seed cannot be searched over*" "$@" --space seed=1,2
fails 2 "credence: --space: left-out cannot be searched over*" "$@" --space left-out=1,2
fails 2 "credence: --space: reg-weight is 'many', expected a number*" "$@" --space reg-weight=1,many
fails 2 "credence: --space: activation is 'tanh', expected one of relu, *" "$@" --space activation=relu,tanh
fails 2 "credence: --space: the space is empty*" "$@" --space ''
fails 2 "credence: --space: the space is empty*" "$@" --space ' ; '
fails 2 "credence: --space: reg-weight=: a value is missing" "$@" --space reg-weight=
fails 2 "credence: --space: reg-weight=1,,2: a value is missing" "$@" --space reg-weight=1,,2
fails 2 "credence: --space: 'reg-weight': expected NAME=VALUE,VALUE,..." "$@" --space reg-weight
fails 2 "credence: --space: reg-weight=decades:3..1: expected decades:A..B*" "$@" --space reg-weight=decades:3..1
fails 2 "credence: --space: reg-weight=range:0..1/0: expected range:A..B*" "$@" --space reg-weight=range:0..1/0
fails 2 "credence: --space: reg-weight=range:0..1/1e-9: has * values*" "$@" --space reg-weight=range:0..1/1e-9
fails 2 "credence: --space: dropout is '1.5', expected a number from 0 to 0.999" "$@" --space dropout=range:0..1.5/1.5
fails 2 "credence: --space: dropout is '1.[0-9]*', expected a number from 0 to 0.999" "$@" --search random \
    --space dropout=range:0..1.5
fails 2 "credence: a grid needs a step (A..B/STEP) in the range of dropout; *" "$@" --space dropout=range:0..0.5
fails 2 "credence: the grid has more than 100000 settings: *" "$@" --space 'dropout=range:0..0.9/0.001;lr=range:0.1..0.9/0.001'
fails 2 "credence: the space has weights of a regulariser, but*" "$@" --preset gpn --space reg-weight=1e-4
fails 2 "credence: --space: reg-weight is not an option of the model committee" graph.npz -o best.json --space reg-weight=1e-4
fails 2 "credence: --space: latent is not an option of the model committee" graph.npz -o best.json --space latent=4,8
fails 2 "credence: --set model: this is what --space is for; *" "$@" --set model=appnp
fails 2 "credence: --set: 'latnt' is no option of training (did you mean latent?)" "$@" --set latnt=3
fails 2 "credence: --preset best: none is known for graph.npz*" "$@" --preset best
fails 2 "credence: --grid: expected one of committee quick coarse paper, found 'papre'; *" "$@" --grid papre
fails 2 "credence: --criterion: expected one of val-ce left-out-class own-errors, found 'auroc'; *" "$@" --criterion auroc
fails 2 "credence: --max-accuracy-loss is for --criterion left-out-class or own-errors; *" "$@" --max-accuracy-loss 0.1
fails 2 "credence: --held-out-classes is for --criterion left-out-class; *" "$@" --held-out-classes 2
fails 2 "credence: --held-out-classes is for --criterion left-out-class; *" "$@" --criterion own-errors --held-out-classes 2
fails 2 "credence: --max-accuracy-loss: expected a number from 0 to 1, found '-1'; *" "$@" --criterion own-errors --max-accuracy-loss -1
fails 2 "credence: --split 50/0/50: no node validates*" "$@" --criterion own-errors --split 50/0/50
fails 2 "credence: --max-accuracy-loss: expected a number from 0 to 1, found '2'; *" "$@" --criterion left-out-class --max-accuracy-loss 2
fails 2 "credence: --eta 1: expected 0, or a number of at least 1.5; *" "$@" --eta 1
fails 2 "credence: --trials is for --search random; *" "$@" --trials 3
fails 2 "credence: --search: expected one of grid random, found 'best'; *" "$@" --search best
fails 2 "credence: --seeds: expected how many*" "$@" --seeds none
fails 2 "credence: --left-out is 3, which leaves 1 of 4 classes, expected at least 2 to tell apart" "$@" --left-out 3
fails 2 "credence: --split 50/0/50: no node validates*" "$@" --split 50/0/50
fails 2 "credence: inductive cannot be on while options are tuned: *look at labels that tuning must not see" "$@" \
    --left-out 1 --set inductive=on
echo '{"inductive":true, "left-out":1}' > in.json
fails 2 "credence: inductive cannot be on while options are tuned: *" graph.npz -o best.json --left-out 1 --config in.json
fails 2 "credence: inductive cannot be on while options are tuned: *" "$@" --left-out 1 --space inductive=on,off
fails 2 "credence: --space: hidden=range:4.2..4.8: has no whole number in it, which hidden needs" "$@" \
    --search random --space hidden=range:4.2..4.8
fails 1 "credence: no_features: has no features, which committee needs; lp and gkde do without" no_features.npz -o best.json
# Every class needs nodes: to learn, to hold out, to cut in two.
credence convert graph.npz in.own --to ogb
mkdir -p in.own/split/own
own() { # own ROLE CONDITION-ON-THE-CLASS-AND-THE-NODE
    gzip -dc in.own/raw/node-label.csv.gz | awk "{ class = \$1; node = NR - 1; if ($2) print node }" |
        gzip > in.own/split/own/$1.csv.gz
}
own test 'node % 5 >= 2'
own valid 'node % 5 == 1'
own train 'node % 5 == 0 && class != 2'
for criterion in val-ce own-errors; do
    fails 1 "credence: in: with seed 101 class C has 0 training and * validation nodes; it needs a training node*" in.own -o best.json \
        --criterion $criterion
done
fails 1 "credence: in: with seed 101 class C has 0 training and * validation nodes; it needs a training node*" in.own -o best.json --left-out 1 \
    --criterion left-out-class
own train 'node % 5 == 0'
own valid 'node % 5 == 1 && class == 0'
fails 1 "credence: in: with seed 101 class A has * nodes; it cannot be held out, because no other class has a validation node" in.own -o best.json \
    --criterion left-out-class
own valid 'node % 5 == 1 && (class == 0 || (class == 1 && seen++ == 0))'
fails 1 "credence: in: with seed 101 class B has * training and 1 validation nodes; it needs two of both to be cut in two*" in.own -o best.json \
    --left-out 2 --criterion left-out-class
fails 2 "credence: the split \"5/15\" is not understood*" "$@" --split 5/15
fails 2 "credence: --set: *xyzzyx*" "$@" --set xyzzyx=1
fails 1 "credence: missing.json: *" graph.npz -o best.json --config missing.json
fails 1 "credence: nowhere.npz: *" nowhere.npz -o best.json
fails 1 "credence: nowhere/best.json: cannot write: *" graph.npz -o nowhere/best.json
fails 1 "credence: nowhere/trials: cannot create the folder: *" "$@" --trials-dir nowhere/trials
fails 2 "credence: --output - needs --trials-dir*" graph.npz -o -
fails 2 "credence: tune needs --output; *" graph.npz
# A damaged file of trials is not thrown away.
mkdir in.trials
echo 'not a trial' > in.trials/trials.jsonl
fails 1 "credence: in.trials/trials.jsonl: line 1: not JSON*" "$@" --trials-dir in.trials
