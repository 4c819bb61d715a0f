# The whole demo, and again into the same folder.
credence demo -o results > a
for file in graph.npz model.safetensors predictions.csv evaluation.json report.html; do
    [ -s results/$file ]
    grep -q "results/$file" a
done
[ "$(ls -A results | wc -l)" = 5 ]
grep -q 'Open results/report.html in a browser' a
tail -n 1 a | grep -qx '   credence train YOUR_GRAPH -o model.safetensors'
# The commands it suggests work.
eval "$(sed -n 's/^   \(credence explain .*\)/\1/p' a)" > b
node=$(sed -n 's/^Node \([0-9]*\): .*/\1/p' a)
head -n 1 b | grep -q "^Node $node: "
cp results/report.html f
credence demo -o results > c
cmp f results/report.html
sed 's/in [-+0-9.e]* seconds//' a > d
sed 's/in [-+0-9.e]* seconds//' c > e
cmp d e
