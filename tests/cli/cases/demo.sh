# The road from nothing to results, and again into the same folder.
credence demo -o results > a
for file in graph.npz model.safetensors predictions.csv evaluation.json; do
    [ -s results/$file ]
    grep -q "results/$file" a
done
[ "$(ls -A results | wc -l)" = 4 ]
tail -n 1 a | grep -qx '   credence train YOUR_GRAPH -o model.safetensors'
# What it tells to type works.
eval "$(sed -n 's/^   \(credence explain .*\)/\1/p' a)" > b
node=$(sed -n 's/^   Node \([0-9]*\): .*/\1/p' a)
head -n 1 b | grep -q "^Node $node: "
credence demo -o results > c
sed 's/in [0-9.]* seconds//' a > d
sed 's/in [0-9.]* seconds//' c > e
cmp d e
