# SPDX-License-Identifier: MIT
credence evaluate model.safetensors graph.npz > a
grep -Eqx 'Finding out-of-distribution nodes: [0-9]+ among [0-9]+ evaluated nodes \([0-9.]+ %\)' a
grep -Eqx 'Accuracy on the in-distribution nodes: [0-9.]+ %' a
grep -Eqx 'uncertainty +AUROC  AUPR \(OOD, [0-9.]+\)  AP \(OOD, [0-9.]+\)  FPR95' a
[ "$(grep -Ecx '(aleatoric|epistemic|epistemic_features)( +[0-9.]+){4}' a)" = 3 ]
credence evaluate model.safetensors graph.npz --json > b
grep -q '"ood": *{' b
grep -q '"id_accuracy"' b
