# Killed in the middle and started again: no finished run is repeated, the table is that of an uninterrupted run, and
# no child outlives its parent.
# stderr: ...
compare() {
    credence compare graph.npz other.npz --models gpn,default --seeds 4 --left-out 1 \
        --split 20/20/60 --set max-epochs=100,patience=100 --jobs 2 -q "$@"
}
. "$ROOT/tests/cli/wait.sh"
needs_proc
compare --output whole > whole.txt
lines=0
for attempt in 1 2 3 4 5 6 7 8 9 10; do
    rm -rf cut
    # exec: kill the command itself, not a shell around it
    (exec credence compare graph.npz other.npz --models gpn,default --seeds 4 --left-out 1 \
        --split 20/20/60 --set max-epochs=100,patience=100 --jobs 2 -q --output cut > cut.txt) &
    parent=$!
    wait_for $parent '[ -e cut/runs.jsonl ] && [ "$(wc -l < cut/runs.jsonl)" -ge 3 ]' || true
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
compare --output cut > cut.txt
head -n "$lines" cut/runs.jsonl | cmp - before
[ "$(wc -l < cut/runs.jsonl)" = 16 ]
[ "$(sed 's/"fingerprint".*//' cut/runs.jsonl | sort -u | wc -l)" = 16 ]
cmp whole.txt cut.txt
for ending in md csv json; do cmp whole/table.$ending cut/table.$ending; done
