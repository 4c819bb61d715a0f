# SPDX-License-Identifier: MIT
# So few calibration nodes that sets can only hold every class: it says so, and how many are needed. One more level down
# they are enough. Sets go together with flags.
# stderr: sets of 4.00 classes on average: they hold the class of 95 % of the nodes whose class the model knows
# stderr: note: every set holds every class, because the model has 9 calibration nodes: --sets 0.95 needs at least 19
# stderr: 150 answers written to a.csv
credence predict full.safetensors graph.npz --sets 0.95 -o a.csv
[ "$(grep -c 'A|B|C|D$' a.csv)" = 150 ]
credence predict full.safetensors graph.npz --sets 0.9 -o b.csv 2> said
if grep note said; then exit 3; fi
[ "$(grep -c 'A|B|C|D$' b.csv)" -lt 150 ]
credence predict full.safetensors graph.npz --sets 0.9 --coverage 0.8 --only flagged -q -o c.csv
head -n 1 c.csv | grep -q ',reject,.*set$'
[ "$(wc -l < c.csv)" = 31 ]
