# exit: 1
# stderr: credence: in.runs: no run of 'gpn' has a partner of 'ours' on the same data, split, left-out classes and seed
. "$ROOT/tests/cli/make_runs.sh"
for seed in 1 2 3; do
    ood_run own Own gpn $seed 0.9 0.8 0.8 0.8
    inductive=true ood_run own Own ours $seed 0.7 0.6 0.6 0.6
done > in.runs
credence compare in.runs --a gpn --b ours
