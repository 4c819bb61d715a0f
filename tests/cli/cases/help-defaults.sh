# SPDX-License-Identifier: MIT
# Help shows the real defaults: those of the library.
credence train --help > a
for name in model:committee hidden:64 networks:2 latent:10 flow-layers:10 teleport:0.1 dropout:0.5 warmup:5 patience:20 \
    hold-out:0.3 steps:10 reg:evidence \
    reg-strength:2e-3 reg-weight:0 entropy-weight:1e-4 share-weight:0.3 weight-decay:1e-3; do
    tr '\n' ' ' < a | tr -s ' ' | grep -q -e "--${name%:*} [^[]*\[default: ${name#*:}\]"
done
grep -q '  coraml ' a
credence generate --help | tr '\n' ' ' | grep -q -e '--homophily X [^[]*\[default: 0\.'
