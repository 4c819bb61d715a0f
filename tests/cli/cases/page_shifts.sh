# Runs under a shift are rows and comparisons of their own, in the order of the numbers in their names.
. "$ROOT/tests/cli/make_runs.sh"
mkdir in.a
shifted() { some_runs | grep '"coraml"' | grep -v '"error"' | sed "s/\"seed\"/\"shift\":\"noise $1\",\"seed\"/"; }
{ shifted 10; shifted 2 | sed 's/"auroc":0\.9/"auroc":0.8/g'; some_runs; } > in.a/runs.jsonl
cat > in.template << 'END'
{{table in.a models=ours,gpn data=coraml format=csv}}
{{compare in.a a=ours b=gpn data=coraml}}
{{value in.a ood coraml ours auroc_epi}} {{value in.a ood coraml ours auroc_epi "shift=noise 2"}}
{{firsts in.a ours auroc_epi data=coraml}}
END
credence page in.template -o - -q | sed 's/\[[-0-9., ]*\]/[]/' # where the interval ends is another test's matter
# The task of finding shifted nodes calls its metrics "shift" instead of "ood".
some_runs | sed 's/"ood"/"shift"/g; s/"seed":/"shift":"noise 1","seed":/' > in.a/runs.jsonl
echo '{{value in.a shift coraml ours auroc_epi "shift=noise 1"}}' > in.template
credence page in.template -o -
