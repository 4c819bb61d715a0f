# SPDX-License-Identifier: MIT
# Other test nodes, other data or no labels still give a page.
credence report model.safetensors graph.npz --test-nodes all --iterations 20 -q -o a.html
credence report model.safetensors graph.npz --iterations 20 -q -o b.html
for page in a b; do grep 'data-name="curves"' $page.html > in.$page; done # no curve contains the command
if cmp -s in.a in.b; then exit 3; fi
printf 'node,split\n0,train\n1,test\n2,test\n' > in.split
credence report model.safetensors graph.npz --split-file in.split --iterations 20 -q -o c.html
credence generate -o grown.npz --nodes 170 --classes 4 --vocabulary 40 --lookalikes 1 --words 12
credence report model.safetensors grown.npz --iterations 20 -q -o d.html
credence convert graph.npz bare --to csv
rm bare/labels.csv
credence report model.safetensors bare --iterations 20 -q -o e.html
for page in a b c d e; do [ -s $page.html ]; done
