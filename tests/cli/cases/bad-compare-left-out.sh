# exit: 1
# stderr: credence: in.runs: no run of 'lp' has a partner of 'gkde' on the same data, split, left-out classes and seed
. "$ROOT/tests/cli/make_runs.sh"
for seed in 1 2 3; do
    left_out=3 ood_run own Own lp $seed 0.9 0.8 0.8 null
    left_out=2 ood_run own Own gkde $seed 0.7 0.6 0.6 null
done > in.runs
credence compare in.runs --a lp --b gkde --metric id_acc
