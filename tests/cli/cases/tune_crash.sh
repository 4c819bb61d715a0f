# A trial whose process is killed is said to have failed and takes no other down; it is tried again next time.
# stderr: ...
. "$ROOT/tests/cli/children.sh"
set -- graph.npz --split 20/20/60 --seeds 1 --jobs 1 --eta 0 --set max-epochs=400,patience=1000
space='activation=relu,gelu,sigmoid'
credence tune "$@" --space "$space" -o in.whole.json -q
credence tune "$@" --space "$space" -o in.json 2> in.err > in.table &
process=$!
for i in $(seq 600); do
    child=$(children $process | head -n 1)
    if [ -n "$child" ]; then break; fi
done
kill -KILL "$child"
wait $process
grep -q '^credence: the trial of activation=[a-z]* with seed 101 failed: its process was killed' in.err
[ "$(wc -l < in.json.trials/trials.jsonl)" = 3 ]
[ "$(grep -c '"error":"its process was killed' in.json.trials/trials.jsonl)" = 1 ]
grep -q '^3,failed,.*,"its process was killed' in.json.trials/tried.csv
credence tune "$@" --space "$space" -o in.json -q
[ "$(wc -l < in.json.trials/trials.jsonl)" = 4 ]
cmp in.json in.whole.json
cmp in.json.trials/tried.csv in.whole.json.trials/tried.csv
