#!/bin/sh
# reproduce.sh [STAGE...]: makes everything under results/ and writes docs/reproduction.md from it.
# Each stage goes on where it was stopped; without arguments all run, in this order. Needs the public graphs
# (credence fetch, or CREDENCE_DATA) and, on two cores, some hours.
set -eu
cd "$(dirname "$0")/.."
credence=${CREDENCE:-build/credence}
graphs=coraml,citeseer,citeseer-planetoid,pubmed,computers,photos,cs,physics

experiment() { "$credence" experiment "$@"; }

# What `credence tune` chooses for each graph: by detecting held-out classes, and as the paper does, by
# validation cross-entropy. Tuning splits have the seeds 101 and up, tables 1 to 10.
space="reg=evidence;reg-strength=5e-4,2e-3,8e-3;teleport=0.1,0.25;latent=10,16;activation=relu,logsigmoid"
tune() {
    for graph in $(echo $graphs | tr , ' '); do
        for criterion in left-out-class val-ce; do
            "$credence" tune "$graph" --criterion $criterion --space "$space" --seeds 101-102 \
                --held-out-classes 3 \
                --out "results/tune/$graph/$criterion" -o "results/tune/$graph-$criterion.json"
        done
    done
}

ood() { experiment ood --data $graphs --models lp,gkde,vgcn,gkde-gcn,gpn,paper,default,ours --out results/ood; }
arxiv() { experiment ood --data arxiv --models lp,gkde --seeds 1 --out results/arxiv; }
misclassification() {
    experiment misclassification --data $graphs --models appnp,vgcn,gkde-gcn,gpn,paper,default,ours \
        --out results/misclassification
}
ablation() { experiment ablation --data coraml,citeseer-planetoid,pubmed --out results/ablation; }

# Claims about the published numbers, one folder each.
claims() {
    experiment ood --data citeseer-planetoid --models gpn --set activation=logsigmoid --out results/citeseer-logsigmoid
    experiment ood --data citeseer-planetoid --models paper --out results/citeseer-paper
    experiment ood --data coraml --models paper --set dropout=0 --out results/coraml-no-dropout
    experiment ood --data pubmed --models vgcn,gkde-gcn --set features=rownorm --out results/pubmed-tfidf
}

# Accuracy against detection as the regulariser grows.
strength() {
    for x in 0 1e-4 5e-4 1e-3 2e-3 5e-3 1e-2 3e-2 1e-1; do
        experiment ood --data coraml,citeseer-planetoid,photos --models default --seeds 5 \
            --set reg-strength=$x --out results/strength/$x
    done
}

shift_() { experiment shift --data coraml,citeseer-planetoid,pubmed --models vgcn,gpn,default --seeds 5 --out results/shift; }

page() { "$credence" page docs/reproduction.in.md -o docs/reproduction.md; }

[ $# -gt 0 ] || set -- ood arxiv misclassification ablation claims strength shift_ tune page
for stage in "$@"; do "$stage"; done
