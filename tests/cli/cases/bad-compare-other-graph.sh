# Runs on another version of the data are no partners.
# exit: 1
# stderr: credence: in.runs: no run of 'ours' has a partner of 'gpn' on the same data, split, left-out classes and seed
. "$ROOT/tests/cli/make_runs.sh"
some_runs | grep '"gpn"' > in.runs
fingerprint=other ood_run coraml CoraML ours 1 0.9 0.9 0.9 0.9 >> in.runs
credence compare in.runs --a ours --b gpn
