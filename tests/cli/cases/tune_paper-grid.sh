# SPDX-License-Identifier: MIT
# The paper's grid: 21 weights with two regularisers, but only one for weight 0; 4 weights of the entropy; 5
# activations. Ctrl-C keeps finished trials.
# stderr: ...
. "$ROOT/tests/cli/wait.sh"
credence tune graph.npz -o best.json --split 20/20/60 --grid paper 2> in.err &
process=$!
wait_for $process '[ "$(cat best.json.trials/trials.jsonl 2> /dev/null | wc -l)" -ge 2 ]'
kill -INT $process
code=0
wait $process || code=$?
[ $code = 1 ]
head -n 1 in.err | grep -q '^820 settings, '
tail -n 1 in.err | grep -Eqx 'credence: interrupted: [0-9]+ runs? (is|are) finished and kept in best.json.trials/trials.jsonl; the same command goes on from there'
[ ! -e best.json ]
lines=$(wc -l < best.json.trials/trials.jsonl)
[ "$lines" -ge 2 ]
tail -n 1 in.err | grep -q "interrupted: $lines runs"
