#!/bin/sh
# reproduce.sh [STAGE...]: makes everything under results/ and writes docs/reproduction.md from it.
# Each stage goes on where it was stopped; without arguments all run, in this order. Needs the public graphs
# (credence fetch, or CREDENCE_DATA) and, on two cores, some hours.
set -eu
cd "$(dirname "$0")/.."
credence=${CREDENCE:-build/credence}
graphs=coraml,citeseer,citeseer-planetoid,pubmed,computers,photos,cs,physics

experiment() { "$credence" experiment "$@"; }

# What `credence tune` chooses for each graph: by detecting held-out classes, and as the paper does, by validation
# cross-entropy. Tuning splits have the seeds 101 and up, tables 1 to 10. Larger graphs get smaller grids, and every
# setting of them all its epochs. On Planetoid's CiteSeer a second search looks closer, on more splits, at what the
# first one preferred.
wide="reg=evidence;reg-strength=0,2e-3,8e-3;teleport=0.1,0.25;latent=10,16;activation=relu,logsigmoid;weight-decay=1e-3,1e-2"
close="reg=evidence;reg-strength=0,5e-4,2e-3;teleport=0.1,0.2;latent=10,16;activation=logsigmoid;weight-decay=1e-3"
pubmed="reg=evidence;reg-strength=2e-3,8e-3,3e-2;teleport=0.1,0.25;latent=10,16"
large="reg=evidence;reg-strength=2e-3,8e-3;teleport=0.1,0.25,0.4;class-scale=off,on"
own_errors="reg=evidence;reg-strength=0,2e-3;teleport=0.1,0.25;share-weight=0,0.3;weight-decay=1e-3,1e-2"
search() { # search GRAPH CRITERION NAME SPACE OPTION...
    graph=$1 criterion=$2 name=$3 space=$4
    shift 4
    mkdir -p "results/tune/$graph"
    "$credence" tune "$graph" --criterion "$criterion" --space "$space" "$@" \
        --out "results/tune/$graph/$name" -o "results/tune/$graph/$name.json"
}
tune() {
    for criterion in left-out-class val-ce; do
        case $criterion in left-out-class) three="--held-out-classes 3" two="--held-out-classes 2" ;; *) three='' two='' ;; esac
        # shellcheck disable=SC2086  # none or two words
        {
            search coraml $criterion $criterion "$wide" --seeds 101-104 --finalists 5 $three
            search citeseer-planetoid $criterion first-$criterion "$wide" --seeds 101-104 --finalists 5 $three
            search citeseer-planetoid $criterion $criterion "$close" --seeds 101-108 --eta 0 $three
            search pubmed $criterion $criterion "$pubmed" --seeds 101-106 --eta 0
            search photos $criterion $criterion "$large" --seeds 101-102 --eta 0 $two
            search cs $criterion $criterion "$large" --seeds 101-102 --eta 0 $two
            search computers $criterion $criterion "$large" --seeds 101-101 --eta 0 $two
            search physics $criterion $criterion "$large" --seeds 101-101 --eta 0 $two
        }
    done
    # for misclassification
    errors() { search "$1" own-errors own-errors "$own_errors" --left-out 0 --seeds "$2" --eta 0; }
    for graph in coraml citeseer-planetoid; do errors $graph 101-104; done
    for graph in photos pubmed; do errors $graph 101-103; done
    for graph in cs computers physics; do errors $graph 101-102; done
}

# The table, and beside `ours`, which left-out-class chose, what validation cross-entropy chose.
ood() {
    for graph in coraml citeseer-planetoid pubmed computers photos cs physics; do
        experiment ood --data "$graph" --models config --config "results/tune/$graph/val-ce.json" \
            --title "Tuned by cross-entropy" --out results/ood
    done
    experiment ood --data $graphs --models lp,gkde,vgcn,gkde-gcn,gpn,paper,default,ours --out results/ood
}
arxiv() { experiment ood --data arxiv --models lp,gkde --seeds 1 --out results/arxiv; }
misclassification() {
    experiment misclassification --data $graphs --models appnp,vgcn,gkde-gcn,gpn,ours --out results/misclassification
}
ablation() {
    experiment ablation --data coraml,citeseer-planetoid --tune-seeds 1 --out results/ablation
    experiment ablation --data pubmed --tune-seeds 1 --tune-space "reg-weight=0,decades:-10..-2/2" --out results/ablation
}

# Claims about the published numbers, one folder each.
claims() {
    echo '{"preset": "gpn", "activation": "logsigmoid"}' > results/gpn-logsigmoid.json
    experiment ood --data citeseer-planetoid --models gpn,paper,config \
        --config results/gpn-logsigmoid.json --title "GPN, LogSigmoid" --out results/citeseer-activation
    experiment ood --data coraml --models paper --set dropout=0 --out results/coraml-no-dropout
    experiment ood --data citeseer-planetoid --models lp,gkde --set rounded-alpha=on --out results/citeseer-rounded
    experiment ood --data pubmed --models vgcn,gkde-gcn --seeds 5 --set features=rownorm --out results/pubmed-tfidf
}

# Accuracy against detection as the regulariser grows.
strength() {
    mkdir -p results/strength
    for x in 0 1e-4 5e-4 1e-3 2e-3 5e-3 1e-2 3e-2 1e-1; do
        experiment ood --data coraml,citeseer-planetoid,photos --models default --seeds 5 \
            --set reg-strength=$x --out results/strength/$x
    done
}

shift_() { experiment shift --data coraml,citeseer-planetoid --models vgcn,gpn,default --seeds 5 --out results/shift; }

page() { "$credence" page docs/reproduction.in.md -o docs/reproduction.md; }

[ $# -gt 0 ] || set -- tune ood arxiv misclassification ablation claims strength shift_ page
for stage in "$@"; do "$stage"; done
