# exit: 1
# stderr: credence: in.runs: the runs of 'lp' have no 'auroc_epi_wo', those of 'gpn' have
. "$ROOT/tests/cli/make_runs.sh"
some_runs > in.runs
credence compare in.runs --a gpn --b lp --metric auroc_epi_wo
