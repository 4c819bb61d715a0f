credence explain model.safetensors graph.npz --node 7 --top 3 > a
head -n 1 a | grep -Eqx 'Node 7: class [ABC], probability [01]\.[0-9]{4}; labelled ([ABC]|D \(left out\))'
[ "$(grep -Ec '^  (aleatoric|epistemic|epistemic_features) +-[0-9]' a)" = 3 ]
grep -Eqx 'node +label +hops +for this class +for all classes +share' a
[ "$(grep -Ec '^[0-9]+ +([ABC]|D \(left out\)) +[0-9]+ .* %$' a)" = 3 ]
grep -q '^the rest ' a
credence explain model.safetensors graph.npz --node 7 --top 1000 | grep -Eq '^the rest .* 0\.0 %$'
credence explain model.safetensors graph.npz --node 7 --top 1000 | grep -Eq '^[0-9]+ +D \(left out\) '
credence explain model.safetensors graph.npz --node 7 --json | grep -q '^{'
