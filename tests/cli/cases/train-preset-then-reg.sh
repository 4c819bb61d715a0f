# SPDX-License-Identifier: MIT
# A regulariser on top of a preset that has none, or a different one, comes with its usual strength, unless a weight
# is given too.
train() { credence train graph.npz -o m.safetensors -q --max-epochs 1 --json "$@" > a; }
train --preset gpn --reg evidence
grep -q '"reg": "evidence", "reg-strength": 0.002, "reg-weight": 0, .*"share-weight": 0,' a
train --preset coraml --reg evidence
grep -q '"reg": "evidence", "reg-strength": 0.002, "reg-weight": 0,' a
train --model gpn --reg distance
grep -q '"reg": "distance", "reg-strength": 0.1, "reg-weight": 0, .*"share-weight": 0.3,' a
train --preset gpn --reg evidence --reg-weight 1e-4
grep -q '"reg": "evidence", "reg-strength": 0, "reg-weight": 0.0001,' a
train --preset gpn --reg evidence --reg-strength 0
grep -q '"reg": "evidence", "reg-strength": 0, "reg-weight": 0,' a
echo '{"reg_strength": 0, "reg": "distance", "preset": "gpn"}' > c.json
train --config c.json
grep -q '"reg": "distance", "reg-strength": 0, "reg-weight": 0,' a
