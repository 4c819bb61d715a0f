# SPDX-License-Identifier: MIT
for shift in bernoulli:0.2 normal:0.2 rewire:0.2 dice:0.2; do
    for mode in all isolated; do
        credence evaluate model.safetensors graph.npz --shift $shift --shift-mode $mode > a
        grep -Eqx "Finding shifted nodes \\(${shift%:*} 0.2, (all at once|one at a time)\\): [0-9]+ among [0-9]+ evaluated nodes \\([0-9.]+ %\\)" a
        [ "$(grep -Ec '^Accuracy on the (other|shifted) nodes( before the shift)?: [0-9.]+ %$' a)" = 3 ]
        grep -Eqx 'uncertainty +AUROC  AUPR \(shifted, [0-9.]+\)  AP \(shifted, [0-9.]+\) +FPR95' a
        [ "$(grep -Ecx '(aleatoric|epistemic|epistemic_features)( +[0-9.]+){4}' a)" = 3 ]
        # The mode may be part of the shift, threads make no difference, the seed does.
        credence evaluate model.safetensors graph.npz --shift $shift:$mode --json --threads 1 > b
        credence evaluate model.safetensors graph.npz --shift $shift --shift-mode $mode --seed 1 --json > c
        cmp b c
        grep -q "\"shift\":{.*\"kind\":\"${shift%:*}\",\"amount\":0.2,\"mode\":\"$mode\",\"seed\":1" b
        grep -Eq '"shifted_accuracy":(0\.[0-9]+|1),' b
        credence evaluate model.safetensors graph.npz --shift $shift:$mode --json --seed 2 > d
        if cmp -s b d; then exit 3; fi
    done
done
# If all nodes are shifted, there is nothing to compare with.
credence evaluate model.safetensors graph.npz --shift normal:1 > a
grep -qx 'Accuracy on the other nodes: n.a.' a
credence evaluate model.safetensors graph.npz --shift normal:1 --json | grep -q '"id_accuracy":null'
# No more nodes than requested.
credence evaluate model.safetensors graph.npz --shift rewire:0.5:isolated --shift-nodes 4 --json | grep -q '"positives":4,'
# All nodes but those that trained.
credence evaluate full.safetensors graph.npz --shift dice:0.1 --test-nodes all --json | grep -q '"nodes":90,'
