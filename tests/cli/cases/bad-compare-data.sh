# exit: 1
# stderr: credence: in.runs: there is no run on data 'cora'; there are: coraml (CoraML), own (Own)
. "$ROOT/tests/cli/make_runs.sh"
some_runs > in.runs
credence compare in.runs --a ours --b gpn --data coraml,cora
