# A trial whose process is killed is reported as failed, and the others go on; it is tried again next time.
# stderr: ...
. "$ROOT/tests/cli/wait.sh"
needs_proc
set -- graph.npz --split 20/20/60 --seeds 1 --jobs 1 --eta 0 --set max-epochs=1500,patience=1500
space='activation=relu,gelu,sigmoid'
credence tune "$@" --space "$space" -o in.whole.json -q
# A child may end before it can be killed: then try once more.
for attempt in 1 2 3 4 5 6 7 8 9 10; do
    rm -rf in.json in.json.trials
    credence tune "$@" --space "$space" -o in.json 2> in.err > in.table &
    process=$!
    wait_for $process 'child=$(children $process | head -n 1); [ -n "$child" ]'
    kill -KILL "$child" 2> /dev/null || true
    wait $process
    if grep -q 'its process was killed' in.err; then break; fi
done
grep -q '^credence: the trial of activation=[a-z]* with seed 101 failed: its process was killed' in.err
[ "$(wc -l < in.json.trials/trials.jsonl)" = 3 ]
[ "$(grep -c '"error":"its process was killed' in.json.trials/trials.jsonl)" = 1 ]
grep -q '^3,failed,.*,"its process was killed' in.json.trials/tried.csv
credence tune "$@" --space "$space" -o in.json -q
[ "$(wc -l < in.json.trials/trials.jsonl)" = 4 ]
cmp in.json in.whole.json
cmp in.json.trials/tried.csv in.whole.json.trials/tried.csv
