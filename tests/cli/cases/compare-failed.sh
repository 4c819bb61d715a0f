# SPDX-License-Identifier: MIT
# A failed run is reported and recorded in the file, and the others go on; the next start tries it again.
. "$ROOT/tests/cli/wait.sh"
needs_proc
compare() { # compare EPOCHS FOLDER
    credence compare graph.npz --task misclassification --models gpn --seeds 2 --split 20/20/60 --jobs 1 \
        --output "$2" -q --set max-epochs=$1,patience=$1
}
# A child may end before it can be killed: then try again with longer training.
for epochs in 100 400 1600 6400 25600 102400; do
    rm -rf out
    (
        exec credence compare graph.npz --task misclassification --models gpn --seeds 2 --split 20/20/60 --jobs 1 \
            --output out -q --set max-epochs=$epochs,patience=$epochs > table 2> err
    ) &
    parent=$!
    wait_for $parent 'running=$(children $parent); [ -n "$running" ]' > in.wait || true
    if [ -n "$running" ]; then kill -9 $running 2> in.kill || true; fi
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
compare $epochs in.whole > whole
if cmp -s table whole; then exit 3; fi
compare $epochs out > table
[ "$(wc -l < out/runs.jsonl)" = 3 ]
cmp table whole
