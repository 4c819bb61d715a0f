# SPDX-License-Identifier: MIT
credence evaluate full.safetensors graph.npz > a
credence evaluate full.safetensors graph.npz --task misclassification > b
cmp a b
grep -Eqx 'uncertainty +AUROC  AUPR-error \(wrong, [0-9.]+\)  AUPR-success \(right, [0-9.]+\) +AURC' a
[ "$(grep -Ecx '(aleatoric|epistemic)( +[0-9.]+){4}' a)" = 2 ]
grep -Eqx 'ECE \(15 bins\)( +[0-9.]+){2}' a
credence evaluate model.safetensors graph.npz --task misclassification --json > c
grep -q '"aupr_error"' c
# What epistemic means here is said where there is one.
grep -q '^epistemic: .*epistemic_class)\.$' a
credence train graph.npz -o appnp -q --model appnp --split 20/20/60 --max-epochs 2
credence evaluate appnp graph.npz > d
if grep '^epistemic:' d; then exit 3; fi
