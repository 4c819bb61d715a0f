# exit: 1
# stderr: credence: in.runs: no run has the metric 'aurco_epi'; there are: id_acc, auroc_alea, auroc_epi, auroc_epi_wo, aupr_alea, aupr_epi, aupr_epi_wo, and places in the runs' metrics, as ood.epistemic.fpr95
. "$ROOT/tests/cli/make_runs.sh"
some_runs > in.runs
credence compare in.runs --a ours --b gpn --metric aurco_epi
