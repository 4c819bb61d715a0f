# SPDX-License-Identifier: MIT
# Models of every kind in one report, with a comparison and a tuning.
for kind in appnp vgcn gkde-gcn; do
    credence train graph.npz -o $kind.safetensors -q --model $kind --left-out 1 --split 20/20/60 --max-epochs 5
done
for kind in lp gkde; do
    credence train graph.npz -o $kind.safetensors -q --model $kind --left-out 1 --split 20/20/60
done
credence compare graph.npz --left-out 1 --split 20/20/60 --models lp --seeds 2 -o runs -q > in.table
credence tune graph.npz --left-out 1 --split 20/20/60 --space 'hidden=4,8' --seeds 1 --set max-epochs=3 --trials-dir tried \
    -o best.json -q
credence report model.safetensors full.safetensors appnp.safetensors vgcn.safetensors gkde-gcn.safetensors \
    lp.safetensors gkde.safetensors runs tried --data graph.npz --iterations 20 --title 'All of <them>' -q -o all.html
grep -q '<title>All of &#60;them&#62;</title>' all.html
[ "$(grep -c 'data-name="facts"' all.html)" = 7 ]
[ "$(grep -c 'data-name="experiment"' all.html)" = 1 ]
[ "$(grep -c 'data-name="tuning"' all.html)" = 1 ]
