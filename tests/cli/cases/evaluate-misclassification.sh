credence evaluate full.safetensors graph.npz > a
credence evaluate full.safetensors graph.npz --task misclassification > b
cmp a b
grep -Eqx 'uncertainty +AUROC  AUPR-error \(wrong, [0-9.]+\)  AUPR-success \(right, [0-9.]+\) +AURC' a
[ "$(grep -Ecx '(aleatoric|epistemic)( +[0-9.]+){4}' a)" = 2 ]
grep -Eqx 'ECE \(15 bins\)( +[0-9.]+){2}' a
credence evaluate model.safetensors graph.npz --task misclassification --json > c
grep -q '"aupr_error"' c
