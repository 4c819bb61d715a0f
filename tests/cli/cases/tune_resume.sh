# SPDX-License-Identifier: MIT
# Killed in the middle and started again: no trial is repeated, and the result is the same, byte for byte.
# stderr: ...
. "$ROOT/tests/cli/wait.sh"
start_and_kill() { # after three more trials
    before=$(cat in.killed/trials.jsonl 2> /dev/null | wc -l)
    credence tune "$@" --config gpn.json -o in.killed/best.json --trials-dir in.killed &
    process=$!
    wait_for $process '[ "$(cat in.killed/trials.jsonl 2> /dev/null | wc -l)" -ge $((before + 3)) ]' || true
    kill -KILL $process 2> /dev/null || true
    wait $process || true
}
# It may end, or end all but its last step, before it can be killed: then try again with longer training.
for epochs in 10 40 160 640 2560; do
    set -- graph.npz --left-out 1 --split 20/20/60 --seeds 2 --jobs 2 --min-epochs $epochs --finalists 3 -q \
        --set max-epochs=$((3 * epochs)),patience=100000 \
        --space 'reg-weight=1e-4,1e-2;activation=relu,gelu;entropy-weight=0,1e-4,1e-3'
    rm -rf in.killed
    mkdir in.killed
    start_and_kill "$@"
    [ -e in.killed/best.json ] || start_and_kill "$@"
    if [ ! -e in.killed/best.json ] && [ "$(wc -l < in.killed/trials.jsonl)" -lt 20 ]; then break; fi
done
[ ! -e in.killed/best.json ]
mkdir in.whole
credence tune "$@" --config gpn.json -o in.whole/best.json --trials-dir in.whole
trials=$(wc -l < in.whole/trials.jsonl)
[ "$trials" = 20 ] # 12 on the first rung, 4 on two splits, whose training ends with the epochs
[ "$(wc -l < in.killed/trials.jsonl)" -lt "$trials" ]
# A line that a crash of the machine cut short does not count.
printf '{"task":"tune","crit' >> in.killed/trials.jsonl
credence tune "$@" --config gpn.json -o in.killed/best.json --trials-dir in.killed
for file in best.json tried.csv tried.json; do cmp in.whole/$file in.killed/$file; done
sed 's/"seconds": *[-+0-9.e]*//' in.whole/trials.jsonl | sort > in.a
sed 's/"seconds": *[-+0-9.e]*//' in.killed/trials.jsonl | sort > in.b
cmp in.a in.b
# Once it is complete, starting again only writes the same result.
cp in.killed/trials.jsonl in.before
rm in.killed/best.json
credence tune "$@" --config gpn.json -o in.killed/best.json --trials-dir in.killed
cmp in.before in.killed/trials.jsonl
cmp in.whole/best.json in.killed/best.json
