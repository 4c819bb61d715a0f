# exit: 1
# stderr: credence: in.runs: there is no run of model 'our'; there are: lp (LP), gpn (GPN), ours (Ours)
. "$ROOT/tests/cli/make_runs.sh"
some_runs > in.runs
credence compare in.runs --a our --b gpn
