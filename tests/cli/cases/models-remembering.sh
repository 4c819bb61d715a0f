# SPDX-License-Identifier: MIT
# lp and gkde use labels and edges only: no features, no validation nodes, no epochs.
for model in lp gkde; do
    credence train no_features.npz -o m.safetensors --model $model --split 50/0/50 2> err
    grep -q '^split: 50/0/50' err
    grep -Eq "^nothing to train: the model $model rests on its [0-9]+ training nodes; .* written to m.safetensors$" err
    if grep -q 'epochs' err; then exit 3; fi
    credence predict m.safetensors no_features.npz > /dev/null
    credence train graph.npz -o m.safetensors -q --model $model --left-out 1 --split 20/20/60
    credence info m.safetensors > a
    grep -Eqx 'stopped by +nothing' a
    grep -Eqx 'parameters +0' a
    grep -Eqx 'features +0' a
    credence info m.safetensors --json | grep -q '"stop":"nothing"'
    credence evaluate m.safetensors graph.npz | grep -Eq '^epistemic +[0-9.]+ '
    credence evaluate m.safetensors graph.npz --task misclassification | grep -Eq '^epistemic +[0-9.]+ '
    credence explain m.safetensors graph.npz --node 7 --top 1000 > a
    grep -Eq '^the rest .* 0\.0 %$' a
    grep -Eqx '  epistemic_features +n\.a\.  .*' a
    credence explain m.safetensors graph.npz --node 7 --json | grep -q '^{'
done
