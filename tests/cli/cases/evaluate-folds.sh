# SPDX-License-Identifier: MIT
# stderr: fold 1 of 3
# stderr: fold 2 of 3
# stderr: fold 3 of 3
# Without test nodes: new models, trained without some nodes, answer for those.
credence train graph.npz -o m.safetensors -q --split 75/25/0 --max-epochs 5
credence evaluate m.safetensors graph.npz --folds 3 > a
grep -Eq '^Finding wrong answers: [0-9]+ among 150 ' a
grep -Eqx '3 folds +all nodes  mean of folds  spread' a
[ "$(grep -Ecx '(accuracy|balanced accuracy|AUROC of aleatoric|AUROC of epistemic|ECE)( +[0-9.]+){3}' a)" = 5 ]
credence evaluate m.safetensors graph.npz --folds 3 --json --threads 1 > b 2> in.error
credence evaluate m.safetensors graph.npz --folds 3 --json --threads 2 > c 2> in.error
cmp b c
grep -q '"nodes":150,"trained_on":0,' b
[ "$(grep -o '"nodes":50,' b | wc -l)" = 3 ]
grep -q '"classes":\[.*"folds":\[{"task":"misclassification",' b
# models that are not trained, and one with left-out classes
credence train graph.npz -o lp.safetensors -q --model lp --split 75/25/0
credence evaluate lp.safetensors graph.npz --folds 2 --json 2> in.error | grep -q '"nodes":150,'
credence evaluate model.safetensors graph.npz --folds 2 --json 2> in.error | grep -q '"task":"misclassification"'
