# SPDX-License-Identifier: MIT
# What speaks for the answer, what against it, and what makes the node look unlike the labelled ones.
credence explain model.safetensors graph.npz --node 7 --top 3 > a
head -n 1 a | grep -Eqx 'Node 7: class [ABC], probability [01]\.[0-9]{4}; labelled ([ABC]|D \(left out\))'
[ "$(grep -Ec '^  (aleatoric|epistemic|epistemic_features|doubt) +-?[0-9]' a)" = 4 ]
grep -Eqx 'Why [ABC], against the mean of all classes \(logits before calibration\):' a
grep -Eqx '  [0-9]+ nodes? for it \(\+[0-9.]+\), [0-9]+ against it \([-+][0-9.]+\)' a
grep -Eqx '  [0-9]+ nodes? for doubt \(\+[0-9.]+\), [0-9]+ against doubt \([-+][0-9.]+\)' a
grep -Eqx 'node +label +hops +speaks for +for this class +for doubt' a
[ "$(grep -Ec '^[0-9]+ +([ABC]|D \(left out\)) +[0-9]+ +[ABC] +[-+][0-9.]+ +[-+][0-9.]+$' a)" = 3 ]
grep -Eq '^the rest +[-+][0-9.]+ +[-+][0-9.]+$' a
grep -Eq '^from no node +[-+][0-9.]+$' a
# The numbers for doubt add up to the epistemic score.
awk '$1 == "epistemic" { score = $2 } $1 == "sum" { stop = 1 }
    seen && !stop { sum += $NF } $1 == "node" { seen = 1 }
    END { exit !(score - sum < 0.001 && sum - score < 0.001) }' a
credence explain model.safetensors graph.npz --node 7 --top 1000 | grep -Eq '^the rest +\+0\.0000 +\+0\.0000$'
credence explain model.safetensors graph.npz --node 7 --top 1000 | grep -Eq '^[0-9]+ +D \(left out\) '
credence explain model.safetensors graph.npz --node 7 --top 2 --json > a
grep -q '^{"node":7,.*"quantity":"logits","logits":\[.*"doubt":{"sum":' a
[ "$(grep -o '"hops"' a | wc -l)" = 2 ]
# A node of another model has evidence.
credence train graph.npz -o gpn.safetensors -q --model gpn --left-out 1 --split 20/20/60 --max-epochs 20
credence explain gpn.safetensors graph.npz --node 7 --top 3 > a
[ "$(grep -Ec '^  (aleatoric|epistemic|epistemic_features) +-[0-9]' a)" = 3 ]
grep -Eqx 'node +label +hops +for this class +for all classes +share' a
[ "$(grep -Ec '^[0-9]+ +([ABC]|D \(left out\)) +[0-9]+ .* %$' a)" = 3 ]
grep -q '^the rest ' a
credence explain gpn.safetensors graph.npz --node 7 --top 1000 | grep -Eq '^the rest .* 0\.0 %$'
credence explain gpn.safetensors graph.npz --node 7 --json | grep -q '"quantity":"evidence","alpha":'
