# A training that fails, and a process that is killed, fail all of their runs: each of them is reported and recorded,
# and done by the next start.
credence convert graph.npz huge --to csv
sed 's/:[0-9.e+-]*/:3e38/g' huge/features.svm > in.features
cp in.features huge/features.svm
code=0
credence compare huge --left-out 1 --models vgcn,gnnsafe --seeds 1 --split 20/20/60 --set features=none --output diverged \
    -q > in.table 2> err || code=$?
[ $code = 1 ]
for model in vgcn gnnsafe; do grep -q "^credence: huge $model seed 1 failed: the loss is not a number in epoch 1" err; done
[ "$(wc -l < err)" = 3 ]
[ "$(grep -c '"error":"the loss is not a number in epoch 1' diverged/runs.jsonl)" = 2 ]

. "$ROOT/tests/cli/wait.sh"
needs_proc
# It may end before it can be killed: then try again with longer training.
for epochs in 100 400 1600 6400 25600 102400; do
    rm -rf out
    (
        exec credence compare graph.npz --left-out 1 --models epn,vgcn,gnnsafe --seeds 1 --split 20/20/60 --jobs 2 \
            --output out -q --set max-epochs=$epochs,patience=$epochs > in.table 2> err
    ) &
    parent=$!
    wait_for $parent 'running=$(children $parent); [ -n "$running" ]' > in.wait || true
    if [ -n "$running" ]; then kill -9 $running 2> in.kill || true; fi
    code=0
    wait $parent || code=$?
    if [ $code != 0 ]; then break; fi
done
[ $code = 1 ]
[ "$(echo "$running" | wc -w)" = 1 ]
for model in epn vgcn gnnsafe; do
    grep -qx "credence: graph $model seed 1 failed: its process was killed, perhaps because memory ran out" err
done
grep -qx 'credence: 3 of 3 runs failed; the table in out is made of the others, the same command tries them again' err
[ "$(wc -l < err)" = 4 ]
[ "$(grep -c '"error":"its process was killed, perhaps because memory ran out"}$' out/runs.jsonl)" = 3 ]
credence compare graph.npz --left-out 1 --models epn,vgcn,gnnsafe --seeds 1 --split 20/20/60 --jobs 2 \
    --output out -q --set max-epochs=$epochs,patience=$epochs > in.table
[ "$(wc -l < out/runs.jsonl)" = 6 ]
[ "$(grep -c '"metrics"' out/runs.jsonl)" = 3 ]
