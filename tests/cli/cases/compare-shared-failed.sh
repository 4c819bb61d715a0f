# SPDX-License-Identifier: MIT
# If a training fails, all of its runs fail. If a process is killed, only the run in progress fails, and the others that
# share its training are done. Failures are reported and recorded, and the next start does only those runs.
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
lines() { grep '"metrics"' "$1/runs.jsonl" | sed 's/"\(training_\|prediction_\|\)seconds":[-+0-9.e]*,//g' | sort; }
# The head of epn takes longer on a larger graph. It may end before its process can be killed: then try a larger one.
for nodes in 2000 8000 32000 128000; do
    rm -rf out
    credence generate -o large.npz --nodes $nodes --classes 4 --vocabulary 40 --lookalikes 1 --words 12
    set -- compare large.npz --left-out 1 --models vgcn,epn,gnnsafe,grasp --seeds 1 --split 20/20/60 -q \
        --set max-epochs=2
    (exec credence "$@" --output out > in.table 2> err) &
    parent=$!
    wait_for $parent '[ -s out/runs.jsonl ]' > in.wait || true
    cp out/runs.jsonl in.first
    kill -9 $(children $parent) 2> in.kill || true
    code=0
    wait $parent || code=$?
    if grep -q 'epn seed 1 failed' err; then break; fi
done
[ $code = 1 ]
grep -qx 'credence: large epn seed 1 failed: its process was killed, perhaps because memory ran out' err
grep -qx 'credence: 1 of 4 runs failed; the table in out is made of the others, the same command tries them again' err
[ "$(wc -l < err)" = 2 ]
grep -c '"model":"vgcn".*"metrics"' in.first | grep -qx 1
[ "$(wc -l < out/runs.jsonl)" = 4 ]
head -n 1 out/runs.jsonl | cmp - in.first
grep '"model":"epn"' out/runs.jsonl | grep -q '"error":"its process was killed, perhaps because memory ran out"}$'
cp out/runs.jsonl in.before
credence "$@" --output out > in.table
head -n 4 out/runs.jsonl | cmp - in.before
[ "$(wc -l < out/runs.jsonl)" = 5 ]
credence "$@" --output whole > in.table
lines out > in.out
lines whole | cmp - in.out
