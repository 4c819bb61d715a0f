# SPDX-License-Identifier: MIT
# A trial whose process is killed is reported as failed, and the others go on; it is tried again next time.
# stderr: ...
. "$ROOT/tests/cli/wait.sh"
needs_proc
space='activation=relu,gelu,sigmoid'
# A child may end before it can be killed: then try again with longer training.
for epochs in 100 400 1600 6400 25600; do
    set -- graph.npz --split 20/20/60 --seeds 1 --jobs 1 --eta 0 --set max-epochs=$epochs,patience=$epochs
    rm -rf in.json in.json.trials
    credence tune "$@" --space "$space" -o in.json 2> in.err > in.table &
    process=$!
    wait_for $process 'child=$(children $process | head -n 1); [ -n "$child" ]' || true
    if [ -n "$child" ]; then kill -KILL "$child" 2> /dev/null || true; fi
    wait $process
    if grep -q 'its process was killed' in.err; then break; fi
done
grep -q '^credence: the trial of activation=[a-z]* with seed 101 failed: its process was killed' in.err
[ "$(wc -l < in.json.trials/trials.jsonl)" = 3 ]
[ "$(grep -c '"error":"its process was killed' in.json.trials/trials.jsonl)" = 1 ]
grep -q '^3,failed,.*,"its process was killed' in.json.trials/tried.csv
credence tune "$@" --space "$space" -o in.whole.json -q
credence tune "$@" --space "$space" -o in.json -q
[ "$(wc -l < in.json.trials/trials.jsonl)" = 4 ]
cmp in.json in.whole.json
cmp in.json.trials/tried.csv in.whole.json.trials/tried.csv
