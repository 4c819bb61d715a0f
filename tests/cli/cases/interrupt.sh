# SPDX-License-Identifier: MIT
# The first signal stops after the epoch and saves the best model so far.
. "$ROOT/tests/cli/wait.sh"
for signal in INT TERM HUP; do
    rm -f log.jsonl
    credence train graph.npz -o $signal.safetensors --split 20/20/60 --patience 1000000 --max-epochs -1 --log log.jsonl -q \
        2> err &
    wait_for $! "grep -q '\"best\":true' log.jsonl 2> /dev/null"
    kill -$signal $!
    wait $!
    grep -Eqx 'interrupted: saved the best of [0-9]+ epochs' err
    credence predict $signal.safetensors graph.npz > answers.csv
done
