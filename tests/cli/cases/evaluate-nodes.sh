# SPDX-License-Identifier: MIT
# All labelled nodes, or those of a file. Nodes whose labels the training used do not count, or it says so.
# stderr: note: the features look unlike those that the model was trained on *
# stderr: note: the features look unlike those that the model was trained on *
# stderr: note: the features look unlike those that the model was trained on *
# stderr: note: the features look unlike those that the model was trained on *
credence train graph.npz -o gpn-full.safetensors -q --model gpn --split 20/20/60 --max-epochs 20
credence info gpn-full.safetensors | grep -Eq '20/20/60.*: 30 train, 30 validation, 90 test'
credence evaluate gpn-full.safetensors graph.npz --test-nodes all --json > a
grep -q '"nodes":90,"trained_on":0,' a
credence evaluate gpn-full.safetensors graph.npz --test-nodes all > a
grep -Eq '^Finding wrong answers: [0-9]+ among 90 ' a
grep -qx 'Not counted: 30 nodes that the model was trained on, 30 that decided when its training stopped.' a
# nodes that promises rest on do not count either
credence train graph.npz -o held.safetensors -q --split 20/20/20/40 --max-epochs 5
credence evaluate held.safetensors graph.npz --test-nodes all > a
grep -Eqx 'Not counted: [0-9]+ nodes that the model was trained on, [0-9]+ that its promises rest on.' a
# those of left-out classes never trained
credence evaluate gpn.safetensors graph.npz --test-nodes all --json > a
credence evaluate gpn.safetensors graph.npz --test-nodes all > b
used=$(sed -n 's/^Not counted: \([0-9]*\) nodes .*, \([0-9]*\) that.*/\1 + \2/p' b)
grep -q "\"nodes\":$((150 - ($used))),\"trained_on\":0," a
{ echo node,split; for i in $(seq 0 149); do echo $i,test; done; } > every.csv
credence evaluate gpn-full.safetensors graph.npz --split-file every.csv --json > a
grep -q '"nodes":150,"trained_on":60,' a
credence evaluate gpn-full.safetensors graph.npz --split-file every.csv > a
grep -qx 'The training used the labels of 60 of these nodes: on others the model is not as good.' a
credence evaluate gpn-full.safetensors graph.npz > a
if grep -q 'trained on' a; then exit 3; fi
# The validation nodes of a committee teach it, except those that it holds out for its promises.
credence evaluate full.safetensors graph.npz --test-nodes all > a
grep -Eq '^Finding wrong answers: [0-9]+ among 90 ' a
grep -qx 'Not counted: 51 nodes that the model was trained on, 9 that its promises rest on.' a
credence evaluate full.safetensors graph.npz --split-file every.csv --json | grep -q '"nodes":150,"trained_on":60,'
# another graph: as many nodes may be a changed graph
credence generate -o new.npz --nodes 100 --classes 4 --vocabulary 40 --lookalikes 1 --words 12 --seed 2
credence evaluate model.safetensors new.npz --test-nodes all --json | grep -q '"nodes": *100'
credence evaluate model.safetensors new.npz --test-nodes all > a
if grep -q 'trained on' a; then exit 3; fi
credence generate -o same.npz --nodes 150 --classes 4 --vocabulary 40 --lookalikes 1 --words 12 --seed 2
credence evaluate model.safetensors same.npz --test-nodes all > a
grep -q 'nodes that the model was trained on may be among these' a
{ echo node,split; for i in $(seq 0 2 98); do echo $i,test; done; } > split.csv
credence evaluate model.safetensors new.npz --split-file split.csv --json | grep -q '"nodes": *50'
