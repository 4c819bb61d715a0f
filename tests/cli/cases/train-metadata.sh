# SPDX-License-Identifier: MIT
# Text of the user's own is kept in the model, and does not change what the model is.
set -- train graph.npz --split 20/20/60 --max-epochs 2 -q
credence "$@" -o a.safetensors
credence "$@" -o b.safetensors --metadata 'run=17' --metadata owner=nobody --metadata 'note=a = b, c' --metadata run=18
credence info a.safetensors > a
credence info b.safetensors > b
if grep -q metadata a; then exit 3; fi
sed -n '/^metadata:$/,/^$/p' b > metadata
printf 'metadata:\n  note: a = b, c\n  owner: nobody\n  run: 18\n\n' | cmp - metadata
[ "$(grep -Ec '^id +[0-9a-f]{64}$' a)" = 1 ]
[ "$(grep '^id ' a)" = "$(grep '^id ' b)" ]
credence info b.safetensors --json | grep -qF '"metadata":{"note":"a = b, c","owner":"nobody","run":"18"}'
credence info a.safetensors --json | grep -qF '"metadata":{}'
credence predict a.safetensors graph.npz -q -o a.csv
credence predict b.safetensors graph.npz -q -o b.csv
cmp a.csv b.csv
# One changed byte in the weights: one sentence, and nothing else.
size=$(wc -c < b.safetensors)
printf '\001' | dd of=b.safetensors bs=1 seek=$((size - 200)) conv=notrunc 2> /dev/null
if credence info b.safetensors 2> error; then exit 3; fi
[ "$(wc -l < error)" = 1 ]
