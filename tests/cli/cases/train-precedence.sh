# SPDX-License-Identifier: MIT
# Defaults, then the preset, then the file, then the options, whatever their order on the line.
echo '{"hidden": 7, "latent": 5}' > config.json
train() { credence train graph.npz -o out.safetensors --split 20/20/60 --max-epochs 1 -q --json "$@"; }
train --hidden 3 --config config.json --preset computers > a
train --preset computers --config config.json --hidden 3 | sed 's/"seconds":[-+0-9.e]*//' > b
sed -i 's/"seconds":[-+0-9.e]*//' a
cmp a b
grep -q '"hidden": 3,' a
grep -q '"latent": 5,' a
grep -q '"teleport": 0.2,' a
grep -q '"class-scale": true,' a
grep -q '"max-epochs": 1,' a
train --preset computers --no-class-scale | grep -q '"class-scale": false,'
train --model gpn --class-scale | grep -q '"class-scale": true,'
echo '{"preset": "photos", "hidden": 9}' > config.json
train --config config.json | grep -q '"hidden": 9, "latent": 10,'
train --preset coraml --reg none | grep -q '"reg": "none", "reg-strength": 0, "reg-weight": 0,'
