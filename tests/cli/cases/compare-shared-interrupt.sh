# SPDX-License-Identifier: MIT
# Ctrl-C in the middle of runs that share a training keeps those that are finished; the same command does the others.
. "$ROOT/tests/cli/wait.sh"
needs_proc
# The head of epn takes longer on a larger graph. It may end before the signal: then try a larger one.
for nodes in 2000 8000 32000 128000; do
    rm -rf out
    credence generate -o large.npz --nodes $nodes --classes 4 --vocabulary 40 --lookalikes 1 --words 12
    set -- compare large.npz --left-out 1 --models vgcn,epn,gnnsafe --seeds 1 --split 20/20/60 -q --set max-epochs=2
    credence "$@" --output out > in.table 2> err &
    parent=$!
    wait_for $parent '[ -s out/runs.jsonl ]' > in.wait || true
    running=$(children $parent)
    kill -INT $parent 2> in.kill || true
    code=0
    wait $parent || code=$?
    if [ $code != 0 ] && [ "$(wc -l < out/runs.jsonl)" -lt 3 ]; then break; fi
done
[ $code = 1 ]
all_end $running
grep -Eqx 'credence: interrupted: (1 run is|2 runs are) finished and kept in out/runs.jsonl; the same command goes on from there' err
lines=$(wc -l < out/runs.jsonl)
[ "$(grep -c '"metrics"' out/runs.jsonl)" = "$lines" ]
cp out/runs.jsonl in.before
credence "$@" --output out > in.table
head -n "$lines" out/runs.jsonl | cmp - in.before
[ "$(grep -c '"metrics"' out/runs.jsonl)" = 3 ]
