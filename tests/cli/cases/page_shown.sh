# One run has no deviation; means that are shown alike are all best; a row of which every run failed; fewer runs
# than the others.
. "$ROOT/tests/cli/make_runs.sh"
mkdir in.a
{
    ood_run own Own gpn 1 0.90001 0.80 0.88 0.70
    ood_run own Own lp 1 0.90004 0.80 0.7 null
    ood_run own Own lp 2 0.90004 0.80 0.7 null
    failed_run own Own ours 1
    wrong_run coraml CoraML ours 1 0.9 0.75 0.4 0.95
    wrong_run coraml CoraML ours 2 0.9 0.77 0.5 0.97
    wrong_run coraml CoraML gpn 1 0.8 0.80 0.5 0.94
} > in.a/runs.jsonl
printf '{{table in.a format=text}}\n{{table in.a}}\n{{table in.a format=csv}}\n' > in.template
credence page in.template -o -
