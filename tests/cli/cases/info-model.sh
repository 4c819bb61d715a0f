# SPDX-License-Identifier: MIT
credence info model.safetensors > a
grep -Eqx 'classes left out +1' a
grep -Eqx 'classes: A, B, C, D \(left out\)' a
credence info model.safetensors --json | grep -q '"left_out":1'
# The training options as train takes them; no file says how long training took.
sed -n '/^options of train:$/,$p' a > b
grep -Eqx 'max-epochs +20' b
grep -Eqx 'left-out +1' b
grep -Eqx 'dropout +0.5' b
if grep -q threads b; then exit 3; fi
credence info model.safetensors --json > c
if grep -q seconds c; then exit 3; fi
grep -Eq '"validation_accuracy":[0-9.]+,"stop":' c
credence train graph.npz -o m -q --max-epochs 1 --json | grep -Eq '"seconds":[0-9]+\.[0-9]'
credence train graph.npz -o m -q --model lp
[ "$(credence info m | sed -n '/^options of train:$/,$p' | grep -c -E '^(hidden|reg) ')" = 0 ]
credence info m | grep -Eqx 'teleport +0.1'
