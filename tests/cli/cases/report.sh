# SPDX-License-Identifier: MIT
# A page of a model, to a file and to standard output, with its graph given in every way; the same bytes each time.
credence report model.safetensors graph.npz --iterations 50 -o a.html -q
grep -q '^<!doctype html>' a.html
grep -q '<title>committee on graph.npz</title>' a.html
for name in page facts classes x y label role predicted probability doubt epistemic views own_logits graph curves history
do
    grep -q "data-name=\"$name\"" a.html
done
if grep -q 'data-name="names"' a.html; then exit 3; fi
credence report graph.npz model.safetensors --iterations 50 -o - --threads 1 > in.b
grep -v 'data-name="facts"\|nonce' in.b > in.c # except for the recorded command
grep -v 'data-name="facts"\|nonce' a.html | cmp - in.c
credence report model.safetensors --data graph.npz --iterations 50 --threads 3 -q -o in.d
grep -v 'data-name="facts"\|nonce' in.d | cmp - in.c
cp a.html in.first
credence report model.safetensors graph.npz --iterations 50 -o a.html -q --threads 2
cmp a.html in.first
# A model with evidence has other blocks.
credence train graph.npz -o in.gpn -q --model gpn --left-out 1 --split 20/20/60 --max-epochs 2
credence report in.gpn graph.npz --iterations 50 -o in.e -q
for name in evidence own own_class; do grep -q "data-name=\"$name\"" in.e; done
if grep -q 'data-name="views"\|data-name="own_logits"' in.e; then exit 4; fi
