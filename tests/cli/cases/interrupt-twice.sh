# SPDX-License-Identifier: MIT
# The second signal stops at once and leaves nothing behind. Both are sent while the program is stopped, so that it
# cannot end between them.
. "$ROOT/tests/cli/wait.sh"
mkdir folder
credence train graph.npz -o folder/out.safetensors --split 20/20/60 --patience 1000000 --max-epochs -1 --log log.jsonl -q \
    2> err &
wait_for $! "grep -q '\"main\"' log.jsonl 2> /dev/null"
kill -STOP $!
kill -INT $!
kill -TERM $!
kill -CONT $!
code=0
wait $! || code=$?
[ $code = 130 ] || [ $code = 143 ]
[ -z "$(ls -A folder)" ]
[ ! -s err ]
