# SPDX-License-Identifier: MIT
# What a crash of the machine leaves behind is cut off; a whole line that lacks only its line break is kept.
compare() {
    credence compare graph.npz --task misclassification --models gpn --split 20/20/60 --output out -q \
        --set max-epochs=3 "$@"
}
compare --seeds 2 --jobs 1 > table
cp out/runs.jsonl whole
printf '{"task":"misclassification","da' >> out/runs.jsonl
compare --seeds 2 > table
cmp out/runs.jsonl whole
head -c 40 /dev/zero >> out/runs.jsonl
compare --seeds 2 > table
cmp out/runs.jsonl whole
head -c -1 whole > out/runs.jsonl
compare --seeds 2 > table
cmp out/runs.jsonl whole
# Runs of another kind are kept and make no difference.
sed 's/misclassification/another/' whole >> out/runs.jsonl
compare --seeds 2 > again
cmp table again
[ "$(wc -l < out/runs.jsonl)" = 4 ]
