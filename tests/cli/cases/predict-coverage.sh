# SPDX-License-Identifier: MIT
# stderr: 30 of 150 nodes flagged (20.0 %), those with aleatoric above -*: do not trust their answers
# stderr: 150 answers written to a.csv, 30 of them flagged
# stderr: 30 flagged answers written to e.csv
credence predict model.safetensors graph.npz --coverage 0.8 -o a.csv
head -n 1 a.csv | grep -q ',reject$'
[ "$(grep -c ',1$' a.csv)" = 30 ]
credence predict model.safetensors graph.npz --coverage 0.8 --reject-by epistemic -q -o b.csv
[ "$(grep -c ',1$' b.csv)" = 30 ]
# The printed threshold flags the same nodes.
credence predict model.safetensors graph.npz --coverage 0.8 -o c.csv 2> said
above=$(sed -n 's/.*above \(.*\): do.*/\1/p' said)
credence predict model.safetensors graph.npz --reject-above "$above" -q -o d.csv
cmp c.csv d.csv
# Only the flagged ones: a list for a person.
credence predict model.safetensors graph.npz --coverage 0.8 --only flagged -o e.csv 2> said
grep written said >&2
[ "$(wc -l < e.csv)" = 31 ]
grep ',1$' a.csv > f
tail -n +2 e.csv | cmp - f
