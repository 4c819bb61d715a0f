# A signal ends it, finished panels stay, and the same command goes on.
figures() {
    credence figures --data graph.npz --left-out 1 --split 20/20/60 --perplexity 8 --grid activation --set max-epochs=3 \
        --iterations 5000 "$@"
}
figures -o in.whole -q
credence figures --data graph.npz --left-out 1 --split 20/20/60 --perplexity 8 --grid activation --set max-epochs=3 \
    --iterations 5000 -o out -q 2> err &
process=$!
while [ ! -e out/panels/graph-activation-relu ] && kill -0 $process; do sleep 0.02; done
kill -INT $process
code=0
wait $process || code=$?
[ $code = 1 ]
kept=$(sed -n 's/^credence: interrupted: \([12]\) of 3 panels are finished and kept in out; the same command goes on from there$/\1/p' err)
[ "$(ls out/panels | wc -l)" = "$kept" ]
[ ! -e out/figures.jsonl ]
figures -o out 2> words
grep -q ", $((3 - kept)) of them made now;" words
diff -r out in.whole
# In a new folder nothing is left behind.
for signal in INT TERM; do
    credence figures --data graph.npz --left-out 1 --split 20/20/60 --set patience=1000000 -o new -q 2> err &
    process=$!
    sleep 0.5
    kill -$signal $process
    code=0
    wait $process || code=$?
    [ $code = 1 ]
    grep -qx 'credence: interrupted: 0 of 7 panels are finished and kept in new; the same command goes on from there' err
    [ ! -e new ]
done
