# Drawings, captions and numbers; what is finished is not made again, and threads make no difference.
figures() {
    credence figures --data graph.npz,other.npz --left-out 1 --split 20/20/60 --set max-epochs=5 --perplexity 8 \
        --iterations 60 "$@"
}
figures -o out -q > words
[ ! -s words ]
[ "$(cd out && ls)" = "command.txt
figures.jsonl
figures.md
graph-activation.svg
graph-lambda.svg
other-activation.svg
other-lambda.svg
panels" ]
[ "$(ls out/panels | wc -l)" = 14 ]
# Everything that panels are told apart by, and what was measured.
[ "$(wc -l < out/figures.jsonl)" = 14 ]
for part in '"data":"other"' '"grid":"activation"' '"panel":"1e-6"' '"fingerprint":"[0-9a-f]\{16\}"' '"left_out":1' \
    '"reg-weight": *\(1e-4\|0.0001\),' '"reg": *"distance"' '"activation": *"hardtanh"' '"id_acc":[0-9.]*' '"auroc_epi":[0-9.]*' \
    '"evidence_ood":[0-9.e+-]*' '"divergence":[0-9.]*' '"dimensions":[0-9.]*'; do
    grep -q "$part" out/figures.jsonl
done
if grep -q '"threads"\|seconds' out/figures.jsonl; then exit 3; fi
[ "$(grep -c '"grid":"activation".*"reg": *"none"' out/figures.jsonl)" = 6 ]
[ "$(cat out/command.txt)" = 'credence figures --data graph.npz,other.npz --left-out 1 --split 20/20/60 --set max-epochs=5 --perplexity 8 --iterations 60 --out DIR' ]
[ "$(grep -c '^!\[.*\](.*\.svg)$' out/figures.md)" = 4 ]
[ "$(grep -c '^| λ₂ = 1e-4 | [0-9.]* % ' out/figures.md)" = 2 ]
# Drawings: text is text, four and three panels, nothing embedded, a white ground.
for drawing in out/*.svg; do
    if command -v xmllint > /dev/null; then xmllint --noout "$drawing"; fi
    grep -q '<rect width="900" height="[0-9]*" fill="#ffffff"/>' "$drawing"
    if grep -q '<image\|href\|<script' "$drawing"; then exit 4; fi
    grep -q '>left out of training (OOD): D<' "$drawing"
    grep -q '>accuracy [0-9.]* %, OOD AUROC [0-9.]* %<' "$drawing"
done
[ "$(grep -c '>λ₂ = ' out/graph-lambda.svg)" = 4 ]
[ "$(grep -c '>median evidence ' out/graph-activation.svg)" = 3 ]
grep -q '<path stroke="#000000"' out/graph-lambda.svg
# Again: nothing is made, the same bytes. Without what was kept, and with other threads: the same bytes.
cp -R out in.before
figures -o out 2> words
grep -q '^4 drawings in out, of 14 panels, 0 of them made now;' words
diff -r out in.before
figures --threads 1 -o one -q
figures --threads 2 -o two 2> words
[ "$(grep -c '^[0-9]*/14 ' words)" = 14 ]
for folder in one two; do
    rm -r $folder/panels
    for file in "$folder"/*; do cmp "$file" "out/${file#*/}"; done
done
# A panel that was cut, damaged or made by another version, with other options, or of an older graph is made again.
head -c 100 in.before/panels/graph-lambda-0 > out/panels/graph-lambda-0
sed -e 's/"version":"[^"]*"/"version":"0.0.0"/' -e 's/"share-weight": *[0-9.]*, *//' in.before/panels/graph-lambda-1e-2 > out/panels/graph-lambda-1e-2
echo more >> out/panels/other-activation-relu
figures -o out 2> words
grep -q ', 3 of them made now;' words
diff -r out in.before
sed -i 's/"fingerprint":"[^"]*"/"fingerprint":"0123456789abcdef"/' out/figures.jsonl out/panels/other-lambda-0
figures -o out 2> words
grep -q ', 1 of them made now;' words
diff -r out in.before
# Another seed: other numbers. Nothing that is there is lost to it: it needs a folder of its own.
figures --seed 2 --grid activation -o seed -q
[ "$(wc -l < seed/figures.jsonl)" = 6 ]
if cmp -s seed/graph-activation.svg out/graph-activation.svg; then exit 5; fi
for other in '--seed 2' '--grid activation' '--set max-epochs=4'; do
    if figures $other -o out 2> words; then exit 6; fi
    grep -q '^credence: out: holds a panel (graph, lambda 0) that this command would lose or make with other options: ' words
done
diff -r out in.before
# The same where the first command did not come to its end. More of the same may be added.
rm out/figures.jsonl
if figures --grid activation -o out 2> words; then exit 7; fi
grep -q '^credence: out: holds a panel (graph, lambda ' words
figures --grid activation -o more -q
figures -o more 2> words
grep -q ', 8 of them made now;' words
diff -r more in.before
