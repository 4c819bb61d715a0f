# SPDX-License-Identifier: MIT
# Functions for cases about files of runs: source it. Each prints one line of a runs.jsonl.

# ood_run DATA TITLE MODEL SEED ACCURACY ALEATORIC EPISTEMIC FEATURES: AUROC and AUPR are the same number.
ood_run() {
    printf '{"task":"ood","data":"%s","title":"%s","model":"%s","seed":%s,' "$1" "$2" "$3" "$4"
    printf '"fingerprint":"%s","version":"0","split":"%s","seconds":1.5,' "${fingerprint:-f}" "${split:-5/15/80}"
    printf '"config":{"model":"%s","left-out":%s,"inductive":%s,' "$3" "${left_out:-3}" "${inductive:-false}"
    printf '"hidden":%s,"seed":%s},' "${hidden:-64}" "$4"
    printf '"training":{"epochs":9,"best_epoch":4,"stop":"patience"},"metrics":{"task":"ood","nodes":9,'
    printf '"positives":3,"id_accuracy":%s,"ood":{"prevalence":0.25,' "$5"
    printf '"aleatoric":{"auroc":%s,"aupr":%s,"ap":0.5,"fpr95":0.5},' "$6" "$6"
    printf '"epistemic":{"auroc":%s,"aupr":%s,"ap":0.5,"fpr95":0.5},' "$7" "$7"
    printf '"epistemic_features":{"auroc":%s,"aupr":%s,"ap":null,"fpr95":null}}}}\n' "$8" "$8"
}

# wrong_run DATA TITLE MODEL SEED ACCURACY AUROC ERROR SUCCESS: the same for both uncertainties.
wrong_run() {
    printf '{"task":"misclassification","data":"%s","title":"%s","model":"%s","seed":%s,' "$1" "$2" "$3" "$4"
    printf '"fingerprint":"f","version":"0","split":"5/15/80","seconds":1.5,'
    printf '"config":{"model":"%s","left-out":0,"seed":%s},"training":{"epochs":9},' "$3" "$4"
    printf '"metrics":{"task":"misclassification","nodes":9,"positives":3,"accuracy":%s,' "$5"
    printf '"misclassification":{"prevalence":0.25,'
    printf '"aleatoric":{"auroc":%s,"aupr_error":%s,"aupr_success":%s,"aurc":0.1},' "$6" "$7" "$8"
    printf '"epistemic":{"auroc":%s,"aupr_error":%s,"aupr_success":%s,"aurc":0.1}},' "$6" "$7" "$8"
    printf '"ece":0.1,"brier":0.2,"nll":0.3,"ece_bins":15}}\n'
}

# failed_run DATA TITLE MODEL SEED
failed_run() {
    printf '{"task":"ood","data":"%s","title":"%s","model":"%s","seed":%s,' "$1" "$2" "$3" "$4"
    printf '"fingerprint":"f","version":"0","split":"5/15/80","seconds":1.5,'
    printf '"config":{"model":"%s","left-out":3,"inductive":false,"hidden":64,"seed":%s},' "$3" "$4"
    printf '"error":"it did not work"}\n'
}

# Three models on CoraML and one on another graph; the lines are in no particular order.
some_runs() {
    ood_run coraml CoraML gpn 2 0.90 0.80 0.88 0.70
    ood_run own Own lp 1 0.5 0.6 0.7 null
    ood_run coraml CoraML lp 1 0.86 0.85 0.80 null
    ood_run coraml CoraML ours 3 0.90 0.84 0.92 0.76
    ood_run coraml CoraML gpn 3 0.88 0.82 0.86 0.72
    ood_run coraml CoraML ours 1 0.88 0.84 0.90 0.74
    failed_run coraml CoraML gpn 1
    ood_run coraml CoraML lp 2 0.88 0.83 0.84 null
    ood_run coraml CoraML gpn 1 0.86 0.81 0.84 0.74
    ood_run coraml CoraML ours 2 0.89 0.84 0.91 0.75
}
