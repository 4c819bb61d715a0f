# exit: 1
# stderr: credence: in.template: line 1: {{value in.a misclassification own lp auroc_eip_sd}}: no run has the metric 'auroc_eip'; there are: id_acc, auroc_alea, auroc_epi, aupr_alea, aupr_epi, aupr_success_alea, aupr_success_epi, and places in the runs' metrics, as misclassification.epistemic.aurc
. "$ROOT/tests/cli/make_runs.sh"
mkdir in.a
wrong_run own Own lp 1 0.9 0.8 0.7 0.6 > in.a/runs.jsonl
echo '{{value in.a misclassification own lp auroc_eip_sd}}' > in.template
credence page in.template -o page.md
