# SPDX-License-Identifier: MIT
# A training that is killed goes on from its checkpoint and writes the same model, with any number of threads.
# stderr: ...
set -- train graph.npz --split 20/20/60 --max-epochs 2000 --patience 2000 --model gpn
credence "$@" -q -o whole.safetensors
kills=0
while [ $kills -lt 8 ]; do
    # The last one may end.
    credence "$@" -q --threads $((kills % 3 + 1)) -o parts.safetensors --checkpoint run --every 0.001s &
    while kill -0 $! 2> /dev/null && [ ! -e run ] && [ ! -e parts.safetensors ]; do sleep 0.01; done
    sleep 0.05
    kill -KILL $! 2> /dev/null || true
    wait $! || true
    kills=$((kills + 1))
    [ ! -e parts.safetensors ] || break
done
[ -e parts.safetensors ] || credence "$@" -o parts.safetensors --checkpoint run 2> said
[ ! -e said ] || grep -q 'checkpoint: run: going on after epoch' said
cmp whole.safetensors parts.safetensors
[ ! -e run ]

# After Ctrl-C there is a model, and the same command goes on.
credence train graph.npz --split 20/20/60 --max-epochs 30 --model gpn -q -o whole.safetensors
mkfifo log
credence train graph.npz --split 20/20/60 --max-epochs 30 --model gpn -o parts.safetensors --checkpoint run --log log 2> said &
exec 3< log
for i in 1 2 3 4 5 6 7 8 9 10; do read -r line <&3; done
kill -INT $!
cat <&3 > rest
wait $!
[ -e parts.safetensors ]
if [ -e run ]; then
    grep -q 'the same command goes on from run' said
    credence train graph.npz --split 20/20/60 --max-epochs 30 --model gpn -q -o parts.safetensors --checkpoint run
fi
cmp whole.safetensors parts.safetensors
