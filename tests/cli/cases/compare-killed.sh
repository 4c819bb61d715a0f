# SPDX-License-Identifier: MIT
# Killed in the middle and started again: no finished run is repeated, the table is that of an uninterrupted run, and
# no child outlives its parent.
# stderr: ...
compare() { # compare EPOCHS ARGUMENT...
    epochs=$1
    shift
    credence compare graph.npz other.npz --models gpn,default --seeds 4 --left-out 1 \
        --split 20/20/60 --set max-epochs=$epochs,patience=$epochs --jobs 2 -q "$@"
}
. "$ROOT/tests/cli/wait.sh"
needs_proc
lines=0
# It may end before it can be killed: then try again with longer training.
for epochs in 20 80 320 1280 5120; do
    rm -rf cut
    # exec: kill the command itself, not a shell around it
    (exec credence compare graph.npz other.npz --models gpn,default --seeds 4 --left-out 1 \
        --split 20/20/60 --set max-epochs=$epochs,patience=$epochs --jobs 2 -q --output cut > cut.txt) &
    parent=$!
    wait_for $parent '[ -e cut/runs.jsonl ] && [ "$(wc -l < cut/runs.jsonl)" -ge 3 ]' > in.wait || true
    running=$(children $parent)
    kill -9 $parent || true
    wait $parent || true
    lines=$(wc -l < cut/runs.jsonl)
    if [ "$lines" -lt 16 ] && [ -n "$running" ]; then break; fi
done
[ "$lines" -ge 3 ]
[ "$lines" -lt 16 ]
all_end $running
cp cut/runs.jsonl before
compare $epochs --output whole > whole.txt
compare $epochs --output cut > cut.txt
head -n "$lines" cut/runs.jsonl | cmp - before
[ "$(wc -l < cut/runs.jsonl)" = 16 ]
[ "$(sed 's/"fingerprint".*//' cut/runs.jsonl | sort -u | wc -l)" = 16 ]
cmp whole.txt cut.txt
for ending in md csv json; do cmp whole/table.$ending cut/table.$ending; done
