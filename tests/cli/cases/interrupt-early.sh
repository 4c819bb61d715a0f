# SPDX-License-Identifier: MIT
# During the warm-up there is no best model yet: the weights so far are kept.
# stderr: interrupted in the warm-up: saved the weights so far
. "$ROOT/tests/cli/wait.sh"
credence generate -o in.npz --nodes 20000 --vocabulary 2000
credence train in.npz -o out.safetensors --model gpn --warmup 1000000 --log in.log -q &
wait_for $! '[ -s in.log ]'
kill -INT $!
wait $!
credence info out.safetensors --json | grep -q '"stop":"requested"'
