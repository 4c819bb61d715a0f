# SPDX-License-Identifier: MIT
# The data's own splits are used in turn, as in tune; a note says if seeds share one.
# stderr: note: in has 3 splits of its own for 4 seeds: those that share one differ in the initialisation alone
# stderr: misclassification: 4 runs, 0 of them finished already; 1 at a time
# stderr: [1-4]/4 done*: in lp seed [1-4] took *
# stderr: [1-4]/4 done*: in lp seed [1-4] took *
# stderr: [1-4]/4 done*: in lp seed [1-4] took *
# stderr: [1-4]/4 done*: in lp seed [1-4] took *
# stderr: 4 runs, 4 of them now; tables are in out
# stderr: note: one has 1 split of its own for 2 seeds: those that share one differ in the initialisation alone
# stderr: misclassification: 2 runs, 0 of them finished already; 1 at a time
# stderr: [12]/2 done*: one lp seed [12] took *
# stderr: [12]/2 done*: one lp seed [12] took *
# stderr: 2 runs, 2 of them now; tables are in single
credence convert graph.npz in --to ogb
for split in 0 1 2; do
    mkdir -p in/split/$split
    for role in train:0 valid:1 test:2; do
        awk -v role="${role#*:}" -v first=$split 'BEGIN { for (i = 0; i < 150; i++) {
            part = (i + 2 * first) % 5; if ((part < 2 ? part : 2) == role) print i } }' | gzip > in/split/$split/${role%:*}.csv.gz
    done
done
compare() { credence compare "$@" --task misclassification --models lp --jobs 1 > table; }
compare in --seeds 4 --output out
metrics() { sed -n "s/.*\"seed\":$1,.*\"split_index\":$2,.*\"metrics\":\(.*\)}\$/\1/p" out/runs.jsonl; }
for run in 1:1 2:2 3:0 4:1; do
    credence train in -o m -q --model lp --split-index ${run#*:} --threads 1
    credence evaluate m in --json | sed 's/,"classes":\[[^]]*\]//g' > m.json
    metrics ${run%:*} ${run#*:} | cmp - m.json
done
[ "$(metrics 1 1)" = "$(metrics 4 1)" ]
[ "$(metrics 1 1)" != "$(metrics 2 2)" ]
# Runs on other splits do not count as these, even with the same seed.
sed -i 's/"split_index":[0-2],//' out/runs.jsonl
compare in --seeds 4 --output out -q
[ "$(wc -l < out/runs.jsonl)" = 8 ]
cp -R in one
rm -r one/split/1 one/split/2
compare one --seeds 2 --output single
if grep -q split_index single/runs.jsonl; then exit 3; fi
compare one --seeds 2 --output quiet -q
