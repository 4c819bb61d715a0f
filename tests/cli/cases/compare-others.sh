# SPDX-License-Identifier: MIT
# The last line counts the runs in the folder that the command's table leaves out: other models, seeds and
# configurations. Failed and repeated runs do not count.
# stderr: 2 runs, 2 of them now; tables are in out
# stderr: 1 run, 0 of them now; tables are in out
# stderr: 1 other run in out is not in them: 'credence compare out' shows all
# stderr: 1 run, 1 of them now; tables are in out
# stderr: 2 other runs in out are not in them: 'credence compare out' shows all
# stderr: 3 runs, 1 of them now; tables are in out
# stderr: 1 other run in out is not in them: 'credence compare out' shows all
run() { credence compare graph.npz --task misclassification --split 20/20/60 --output out "$@" 2> in.said; grep -E '(of them now;| other runs?) ' in.said >&2; }
run --models lp --seeds 2 > a
run --models lp --seeds 1 > a
run --models lp --seeds 1 --set teleport=0.2 > a
grep -qx 'Options set: teleport=0.2' a
grep -q 'Options set: teleport=0.2$' out/table.md
# A failed line of another run is not a run.
tail -n 1 out/runs.jsonl > in.line
sed 's/"seed":1,/"seed":7,/; s/"training".*/"error":"it did not work"}/' in.line >> out/runs.jsonl
# A repeated line is not another run.
sed -n 1p out/runs.jsonl >> out/runs.jsonl
run --models lp --seeds 3 > a
