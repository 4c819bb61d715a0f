# SPDX-License-Identifier: MIT
# The whole demo, and again into the same folder: the same results, in files that keep their permissions, or at the
# other end of links. Plots appear between the same lines of text, and fit beside their indentation.
no() { if "$@"; then echo "unexpected: $*"; exit 1; fi; } # `! ...` would not end the script
credence demo -o results > a
for file in graph.npz model.safetensors predictions.csv evaluation.json report.html; do
    [ -s results/$file ]
    grep -q "results/$file" a
done
[ "$(ls -A results | wc -l)" = 5 ]
grep -q 'Open results/report.html in a browser' a
tail -n 1 a | grep -qx '   credence train YOUR_GRAPH -o model.safetensors'
no grep -q 'ROC (' a
# The commands it suggests work.
eval "$(sed -n 's/^   \(credence explain .*\)/\1/p' a)" > b
node=$(sed -n 's/^Node \([0-9]*\): .*/\1/p' a)
head -n 1 b | grep -q "^Node $node: "
cp -R results in.first
chmod 600 results/evaluation.json
mv results/predictions.csv in.elsewhere
: > in.elsewhere
ln -s ../in.elsewhere results/predictions.csv
rm results/graph.npz
ln -s ../in.new results/graph.npz
COLUMNS=80 credence demo -o results --plot always > with
[ "$(ls -l results/evaluation.json | cut -c 1-10)" = -rw------- ]
[ -L results/predictions.csv ] && [ -L results/graph.npz ] && [ -s in.new ]
for file in graph.npz model.safetensors predictions.csv evaluation.json report.html; do
    cmp results/$file in.first/$file
done
[ "$(ls -A results | wc -l)" = 5 ]
grep -q '^   How unlike the training nodes  *ROC (epistemic): AUROC [0-9.]* %$' with
awk 'length > 80 && /[|#]|--/ { exit 1 }' with
sed 's/in [-+0-9.e]* seconds//' a > c
sed 's/in [-+0-9.e]* seconds//' with > d
diff c d > e || true
no grep -q '^<' e
