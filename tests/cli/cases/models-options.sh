# SPDX-License-Identifier: MIT
# A model sets its own hyper-parameters; options given with it override them, in any order; what a preset says about
# the data stays.
facts() { credence train graph.npz -o m.safetensors -q --split 20/20/60 --max-epochs 1 --json "$@" > facts; }
facts --dropout 0.25 --model vgcn
grep -q '"hidden": 64, "dropout": 0.25, "activation": "relu", "lr": 0.01, "weight-decay": 0.0001' facts
facts --preset coraml --model gkde-gcn
grep -q '"features": "binary,rownorm"' facts
grep -q '"hidden": 16, "dropout": 0.5, "activation": "relu", "lr": 0.01, "weight-decay": 0.0005' facts
if grep -q latent facts; then exit 3; fi
echo '{"hidden": 8, "model": "appnp"}' > c.json
facts --config c.json
grep -q '"model": "appnp"' facts
grep -q '"hidden": 8, "teleport": 0.1' facts
facts --preset gpn-amazon
grep -q '"latent": 10, "flow-layers": 10, "teleport": 0.2, "steps": 10, "class-scale": true' facts
grep -Eq '"reg": "none", "reg-strength": 0, "reg-weight": 0, "entropy-weight": (0.00001|1e-05), "share-weight": 0,' facts
credence train --help | grep -Eq '^  gkde-gcn '
