# SPDX-License-Identifier: MIT
# Names for nodes and classes, from three text files to an explanation.
printf 'a,b\nb,c\nc,a\nd,e\ne,f\nf,d\nc,d\n' > edges.csv
printf 'a,1,0\nb,1,0.1\nc,0.9,0\nd,0,1\ne,0.1,1\nf,0,0.8\n' > features.csv
printf 'a,left\nb,left\nc,left\nd,right\ne,right\nf,right\n' > labels.csv
set -- edges.csv --node-features features.csv --labels labels.csv
credence train "$@" -o out.safetensors --split 34/33/33 --max-epochs 3 -q
credence predict out.safetensors "$@" > a
head -n 1 a | grep -q '^node,name,class,'
grep -Eq '^3,d,(left|right),' a
credence explain out.safetensors "$@" --node d > b
head -n 1 b | grep -Eq '^Node 3 \(d\): class (left|right), probability 0\.[0-9]{4}; labelled right$'
