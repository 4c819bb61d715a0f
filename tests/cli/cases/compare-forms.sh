# SPDX-License-Identifier: MIT
# Names of columns and paths in the metrics mean the same; JSON, CSV and Markdown have the same numbers.
. "$ROOT/tests/cli/make_runs.sh"
mkdir in.a in.b
some_runs | grep -v '"ours"' > in.a/runs.jsonl
some_runs | grep '"ours"' > in.b/runs.jsonl
credence compare in.a in.b/runs.jsonl --a ours --b gpn --json > a.json
credence compare in.a in.b --a ours --b gpn --metric ood.epistemic.auroc --format json | sed 's/ood.epistemic.auroc/auroc_epi/g' |
    cmp - a.json
grep -q '"unit":"percent",.*"unpaired":0,"differences":\[{"task":"ood","data":"coraml",.*"a":"Ours","b":"GPN","metric":"auroc_epi",' a.json
grep -q '"pairs":3,"mean_a":91,"mean_b":86,"difference":5,"low":[0-9.]*,"high":[0-9.]*,' a.json
grep -q '"wilcoxon_p":0.25,"sign_p":0.25,"wins":3,"ties":0,"losses":0}' a.json
# A repetition gives the same; another seed gives different intervals around the same means.
credence compare in.a in.b --a ours --b gpn --json | cmp - a.json
credence compare in.a in.b --a ours --b gpn --format csv > a.csv
head -n 1 a.csv | grep -qx 'task,data,shift,a,b,metric,pairs,mean_a,mean_b,difference,low,high,wilcoxon_p,sign_p,wins,ties,losses'
grep -q '^ood,CoraML,,Ours,GPN,auroc_epi,3,91,86,5,[0-9.]*,[0-9.]*,0.25,0.25,3,0,0$' a.csv
credence compare in.a in.b --a ours --b gpn --format markdown | grep -q '^| CoraML | Ours | GPN | 3 | 91.00 | 86.00 | +5.00 | \[.*\] | 0.2500 | 0.2500 | 3/0/0 |$'
# A file given twice counts once.
credence compare in.a in.b in.b in.a --a ours --b gpn --json | cmp - a.json
