# A page of a model, to a file and to standard output, with its graph given in every way; the same bytes each time.
credence report gpn.safetensors graph.npz --iterations 50 -o a.html -q
grep -q '^<!doctype html>' a.html
grep -q '<title>gpn on graph.npz</title>' a.html
for name in page facts classes x y label role predicted probability evidence own own_class graph curves history
do
    grep -q "data-name=\"$name\"" a.html
done
if grep -q 'data-name="names"' a.html; then exit 3; fi
credence report graph.npz gpn.safetensors --iterations 50 -o - --threads 1 > in.b
grep -v 'data-name="facts"\|nonce' in.b > in.c # except for the recorded command
grep -v 'data-name="facts"\|nonce' a.html | cmp - in.c
credence report gpn.safetensors --data graph.npz --iterations 50 --threads 3 -q -o in.d
grep -v 'data-name="facts"\|nonce' in.d | cmp - in.c
cp a.html in.first
credence report gpn.safetensors graph.npz --iterations 50 -o a.html -q --threads 2
cmp a.html in.first
# the default model
credence report model.safetensors graph.npz --iterations 50 -o in.committee -q
grep -q '<title>committee on graph.npz</title>' in.committee
for name in page facts classes x y label role predicted probability graph curves history; do
    grep -q "data-name=\"$name\"" in.committee
done
