# SPDX-License-Identifier: MIT
# Two at once in one folder: the second gets an error and does no harm.
. "$ROOT/tests/cli/wait.sh"
needs_proc
credence compare graph.npz --task misclassification --models gpn --seeds 1 --split 20/20/60 --output out -q \
    --set patience=1000000 > table 2> err &
parent=$!
wait_for $parent '[ -n "$(children $parent)" ]'
code=0
credence compare graph.npz --task misclassification --models gpn --seeds 1 --split 20/20/60 --output out \
    2> second || code=$?
[ $code = 1 ]
grep -qx "credence: out/runs.jsonl: is being written by another process ($parent); wait for its end, or give another folder" second
kill -TERM $parent
wait $parent || code=$?
credence compare graph.npz --task misclassification --models gpn --seeds 1 --split 20/20/60 --output out -q \
    --set max-epochs=3 > table
