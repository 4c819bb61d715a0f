# exit: 1
# stderr: credence: in.runs: no pair of runs has the metric 'aurco_epi'; expected the name of *
. "$ROOT/tests/cli/make_runs.sh"
some_runs > in.runs
credence compare in.runs --a ours --b gpn --metric aurco_epi
