# All labelled nodes, or those of a file. The words of another random graph mean something else.
# stderr: note: the features look unlike those that the model was trained on *
# stderr: note: the features look unlike those that the model was trained on *
credence evaluate model.safetensors graph.npz --test-nodes all --json | grep -q '"nodes": *150'
credence generate -o new.npz --nodes 100 --classes 4 --vocabulary 40 --lookalikes 1 --words 12 --seed 2
credence evaluate model.safetensors new.npz --test-nodes all --json | grep -q '"nodes": *100'
{ echo node,split; for i in $(seq 0 2 98); do echo $i,test; done; } > split.csv
credence evaluate model.safetensors new.npz --split-file split.csv --json | grep -q '"nodes": *50'
