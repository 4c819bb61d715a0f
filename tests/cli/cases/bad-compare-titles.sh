# exit: 1
# stderr: credence: in.runs: there is no run of model 'GPN, ReLU'; there are: gpn (GPN), config (GPN, GELU), config (GPN, LogSigmoid)
. "$ROOT/tests/cli/make_runs.sh"
{
    ood_run own Own gpn 1 0.5 0.5 0.5 0.5
    for title in LogSigmoid GELU; do
        ood_run own Own config 1 0.5 0.5 0.5 0.5 | sed "s/\"config\",\"seed\"/\"config\",\"model_title\":\"GPN, $title\",\"seed\"/"
    done
} > in.runs
credence compare in.runs --a 'GPN, ReLU' --b gpn
