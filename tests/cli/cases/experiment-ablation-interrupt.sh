# Ctrl-C while it tunes: what is finished is kept, nothing is chosen.
# stderr: ...
. "$ROOT/tests/cli/children.sh"
(exec credence experiment ablation --data graph.npz --left-out 1 --split 20/20/60 --jobs 2 --out out > in.out 2> in.err) &
parent=$!
trials=out/tuning/graph/trials.jsonl
for i in $(seq 1000); do
    if [ -e $trials ] && [ "$(wc -l < $trials)" -ge 20 ]; then break; fi
    sleep 0.01
done
running=$(children $parent)
kill -INT $parent
code=0
wait $parent || code=$?
[ $code = 1 ]
all_end $running
[ ! -s in.out ]
[ ! -s out/runs.jsonl ]
[ ! -e out/tuning/graph/gpn-ce-act-gd.json ]
lines=$(wc -l < $trials)
[ "$(tail -n 1 in.err)" = "credence: interrupted: $lines trials are finished and kept in $trials; the same command goes on from there" ]
grep -qx 'tuning GPN-CE-ACT-GD on graph: 420 settings, 2 splits' in.err ||
    grep -q 'tuning GPN-CE-ACT on graph: 20 settings, 2 splits' in.err
