# A failed run is reported and recorded in the file, and the others go on; the next start tries it again.
. "$ROOT/tests/cli/wait.sh"
needs_proc
compare() {
    credence compare graph.npz --task misclassification --models gpn --seeds 2 --split 20/20/60 --jobs 1 \
        --output out -q --set max-epochs=1500,patience=1500 "$@"
}
compare > whole
# A child may end before it can be killed: then try once more.
for attempt in 1 2 3 4 5 6 7 8 9 10; do
    rm -rf out
    credence compare graph.npz --task misclassification --models gpn --seeds 2 --split 20/20/60 --jobs 1 \
        --output out -q --set max-epochs=1500,patience=1500 > table 2> err &
    parent=$!
    wait_for $parent 'running=$(children $parent); [ -n "$running" ]' || true
    if [ -n "$running" ]; then kill -9 $running 2> /dev/null || true; fi
    code=0
    wait $parent || code=$?
    if [ $code != 0 ]; then break; fi
done
[ $code = 1 ]
grep -qx 'credence: graph gpn seed [12] failed: its process was killed, perhaps because memory ran out' err
grep -qx 'credence: 1 of 2 runs failed; the table in out is made of the others, the same command tries them again' err
[ "$(wc -l < err)" = 2 ]
[ "$(wc -l < out/runs.jsonl)" = 2 ]
grep -q '"error":"its process was killed, perhaps because memory ran out"}$' out/runs.jsonl
grep -q '"metrics"' out/runs.jsonl
[ -s table ]
if cmp -s table whole; then exit 3; fi
compare > table
[ "$(wc -l < out/runs.jsonl)" = 3 ]
cmp table whole
