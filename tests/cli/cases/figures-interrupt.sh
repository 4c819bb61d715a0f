# A signal ends it, finished panels stay, and the same command goes on.
set -- --data graph.npz --left-out 1 --split 20/20/60 --perplexity 8 --grid activation --set max-epochs=3
credence figures "$@" --iterations 60 -o out -q
cp out/figures.jsonl in.first
for signal in INT TERM; do
    credence figures "$@" --iterations 1000000 -o out -q 2> err &
    process=$!
    sleep 0.5
    kill -$signal $process
    code=0
    wait $process || code=$?
    [ $code = 1 ]
    grep -qx 'credence: interrupted: 0 of 3 panels are finished and kept in out; the same command goes on from there' err
done
# Nothing of the other command's was touched, and nothing else is there.
cmp out/figures.jsonl in.first
[ "$(ls out/panels | wc -l)" = 3 ]
credence figures "$@" --iterations 60 -o out 2> words
grep -q ', 0 of them made now;' words
# In a new folder nothing is left behind.
credence figures --data graph.npz --left-out 1 --split 20/20/60 --set patience=1000000 -o new -q 2> err &
process=$!
sleep 0.5
kill -INT $process
code=0
wait $process || code=$?
[ $code = 1 ]
[ ! -e new ]
