# SPDX-License-Identifier: MIT
# The teacher of gkde-gcn is trained first: its epochs are a warm-up in the log, and can be stopped.
. "$ROOT/tests/cli/wait.sh"
credence train graph.npz -o m.safetensors -q --model gkde-gcn --split 20/20/60 --max-epochs 3 --log log.jsonl
[ "$(grep -c '"phase":"warmup".*"cross_entropy":' log.jsonl)" = 3 ]
[ "$(grep -c '"phase":"main".*"risk":.*"prior":.*"teacher":' log.jsonl)" = 3 ]
rm log.jsonl
credence train graph.npz -o stopped.safetensors --model gkde-gcn --split 20/20/60 --patience 1000000 \
    --log log.jsonl -q 2> err &
wait_for $! "grep -q '\"warmup\"' log.jsonl 2> /dev/null"
kill -INT $!
wait $!
grep -qx 'interrupted in the warm-up: saved the weights so far' err
credence predict stopped.safetensors graph.npz > /dev/null
