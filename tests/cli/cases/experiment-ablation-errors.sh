# Every mistake is one line, found before anything is written.
# stderr: ...
fails() { # fails CODE PATTERN ARGUMENTS...
    expected=$1
    pattern=$2
    shift 2
    code=0
    credence experiment "$@" --out out > in.out 2> in.err || code=$?
    # shellcheck disable=SC2254 # a pattern is what it is
    case $(cat in.err) in
        $pattern) ;;
        *) echo "$*"; cat in.err; exit 3 ;;
    esac
    if [ $code != "$expected" ]; then echo "$*: $code"; exit 4; fi
    [ "$(wc -l < in.err)" = 1 ]
    [ ! -s in.out ]
    [ ! -e out ]
}
for option in tune-grid=paper tune-space=reg=distance tune-seeds=2 eta=3; do
    fails 2 "credence: --${option%%=*} has no meaning for ood, where nothing is tuned; *" ood --data graph.npz \
        --left-out 1 --"$option"
done
fails 2 "credence: the model gpn-ce has to be tuned, which only the task ablation does; *" ood --data graph.npz \
    --left-out 1 --models gpn,gpn-ce
fails 2 "credence: unknown task 'ablaton' (did you mean ablation?); *" ablaton --data graph.npz
set -- ablation --data graph.npz --left-out 1 --split 20/20/60
fails 2 "credence: --tune-grid quick: expected coarse or paper; *" "$@" --tune-grid quick
fails 2 "credence: --tune-space: no row of the ablation tunes dropout; *" "$@" --tune-space 'activation=relu;dropout=0'
fails 2 "credence: --tune-space: no row of the ablation tunes reg-strength; *" "$@" --tune-space reg-strength=1
fails 2 "credence: --tune-space: 'activaton' is no option of training (did you mean activation?)" "$@" \
    --tune-space activaton=relu
fails 2 "credence: --tune-space: --activation tanh: expected one of relu, *" "$@" --tune-space activation=tanh
fails 2 "credence: a grid needs a step*range of reg-weight*" "$@" --tune-space reg-weight=decades:-4..-2
fails 2 "credence: the grid has more than 100000 settings*" "$@" --tune-space entropy-weight=decades:-4..-2/0.001
fails 2 "credence: --tune-seeds: 7 is one of the table's seeds*; *" "$@" --tune-seeds 7-8
fails 2 "credence: --tune-seeds: 102 is one of the table's seeds*; *" "$@" --seeds 102-105
fails 2 "credence: --tune-seeds: expected how many*" "$@" --tune-seeds none
fails 2 "credence: --eta 1: expected 0, or a number of at least 1.5; *" "$@" --eta 1
fails 2 "credence: --set activation: this is tuned*--tune-space*; *" "$@" --set activation=gelu
fails 2 "credence: --set reg-strength: none of the models makes use of it; *" "$@" --set reg-strength=1
fails 2 "credence: --set: only one of reg-strength and reg-weight can be given; *" "$@" --set reg-strength=1,reg-weight=1
fails 2 "credence: --split 50/0/50: no node validates*" ablation --data graph.npz --left-out 1 --split 50/0/50
fails 2 "credence: graph: how many classes to leave out is not known*" ablation --data graph.npz
fails 2 "credence: inductive cannot be on while options are tuned: *look at labels that tuning must not see" "$@" \
    --set inductive=on
fails 2 "credence: inductive cannot be on while options are tuned: *" "$@" --tune-space inductive=on,off
fails 1 "credence: no_features: has no features, which gpn* needs; lp and gkde do without" ablation --data no_features.npz \
    --left-out 1
# What a row does not tune can be set. The one value of the grid is tried beside the plain GPN's own, on two splits.
credence experiment "$@" --models gpn-ce --tune-space entropy-weight=0 --set activation=gelu,max-epochs=2 --seeds 1 \
    --out out -q > table
[ "$(grep -c '"activation": "gelu"' out/runs.jsonl out/tuning/graph/trials.jsonl | tr '\n' ' ')" = \
    "out/runs.jsonl:1 out/tuning/graph/trials.jsonl:4 " ]
# A damaged file of trials is not thrown away.
echo 'not a trial' > out/tuning/graph/trials.jsonl
cp out/runs.jsonl in.runs
code=0
credence experiment "$@" --models gpn-ce --out out -q 2> in.err || code=$?
[ $code = 1 ]
[ "$(cat in.err)" = "credence: out/tuning/graph/trials.jsonl: line 1: not JSON: '[' or '{' expected near 'not'" ]
[ "$(cat out/tuning/graph/trials.jsonl)" = 'not a trial' ]
cmp out/runs.jsonl in.runs
