# SPDX-License-Identifier: MIT
# For a model without a latent space the map shows probabilities; few nodes have few neighbours; names are kept.
credence train graph.npz -o lp.safetensors --model lp --split 20/20/60 -q
credence map lp.safetensors graph.npz --iterations 20 -o a.csv 2> err
grep -Eqx '150 nodes by t-SNE of the probabilities, perplexity 30, divergence [0-9.]+' err
printf 'ann,bob\nbob,cy\ncy,ann\ncy,dee\n' > in.csv
printf 'node,label\nann,red\nbob,blue\ncy,red\ndee,blue\n' > in.labels
credence train in.csv --labels in.labels -o m.safetensors --model lp --split 0.5/0/rest -q
credence map m.safetensors in.csv --iterations 20 -o b.csv 2> err
grep -Eqx '4 nodes by t-SNE of the probabilities, perplexity 1, divergence -?[0-9.]+' err
head -n 1 b.csv | grep -q '^node,name,x,y,class,'
[ "$(grep -Ec '^[0-3],(ann|bob|cy|dee),-?[0-9]' b.csv)" = 4 ]
