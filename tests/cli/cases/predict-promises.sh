# SPDX-License-Identifier: MIT
# A model with calibration nodes promises: doubt, unknown nodes, few errors, sets. All columns, and evaluate's numbers.
# stderr: 40 calibration nodes: predict can promise --false-alarms 0.025 or more, *
# stderr: sets of * classes on average: they hold the class of 90 % of the nodes whose class the model knows
# stderr: [0-9]* sets are empty, so that no more than 90 % hold the class: add the answer if you want it in every set
# stderr: * of 400 nodes flagged as unknown, on average at most 10 % of the known ones with them
# stderr: note: the model has no epistemic uncertainty, so doubt goes by the probability of the answer
# stderr: * of 400 nodes answered: at most 60 % of the answers for nodes of known classes are wrong, with confidence 0.8
# stderr: 400 answers written to a.csv, * of them flagged
credence generate -o in.npz --nodes 400 --classes 4 --vocabulary 60
credence train in.npz -o m.safetensors --split 20/20/60 --model appnp --hold-out 0.5 --max-epochs 40 2> said
grep calibration said | grep -v became >&2
credence predict m.safetensors in.npz --sets 0.9 --false-alarms 0.1 --max-error 0.6 --confidence 0.8 -o a.csv
head -n 1 a.csv | grep -qx 'node,class,probability,aleatoric,epistemic,epistemic_features,doubt,unknown,answered,set'
awk -F, 'NR > 1 && !($7 >= 0 && $7 < 1 && $8 == ($7 >= 0.9) && ($9 == 0 || $9 == 1)) { print; bad = 1 } END { exit bad }' a.csv
grep -Eq ',[A-D]\|[A-D]' a.csv
# The same in the other formats.
credence predict m.safetensors in.npz --sets 0.9 --false-alarms 0.1 -q -o a.jsonl
head -n 1 a.jsonl | grep -Eq '"doubt":[0-9.e-]+,"unknown":[01],"set":\[("[A-D]",?)*\]\}$'
credence predict m.safetensors in.npz --sets 0.9 --set-method raps --set-lambda 0.3 -q -o a.npz
# Only those that are not answered or look unknown.
credence predict m.safetensors in.npz --false-alarms 0.1 --only flagged -q -o b.csv
[ "$(wc -l < b.csv)" = "$(($(awk -F, '$8 == 1' a.csv | wc -l) + 1))" ]
# The model's own words.
credence info m.safetensors > c
grep -Eqx 'calibration +temperature [0-9.]+' c
grep -Eqx 'calibration nodes +40' c
credence evaluate m.safetensors in.npz > d
grep -q '^Promises, from 40 calibration nodes' d
grep -Eq '^ECE \(15 bins\)( +[0-9.]+){2}$' d
credence evaluate m.safetensors in.npz --json > e
grep -q '"calibration":{"method":"temperature","before":{"ece":' e
grep -q '"classes":\[{"class":"A","answers":' e
grep -q '"promises":{"calibration_nodes":40,"false_alarms":\[{"promised":0.01,"false_alarms":null,"detected":null},' e
grep -q '"coverage_by_degree":{"0-1":' e
grep -Eq '"aps":\{"coverage":0\.[0-9]+,"size":[0-9.]+\}\}\}' e
# On other data a promise needs nodes of the same kind.
credence generate -o other.npz --nodes 400 --classes 4 --vocabulary 60 --seed 9
credence predict m.safetensors other.npz --false-alarms 0.1 -o f.csv 2> said
grep -qx 'these are not the data of training: the promise holds if their nodes are of the same kind' said
credence predict m.safetensors other.npz -o f.csv 2> said
if grep -q promise said; then exit 3; fi
