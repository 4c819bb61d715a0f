# SPDX-License-Identifier: MIT
# Ctrl-C writes the map so far.
. "$ROOT/tests/cli/wait.sh"
needs_proc
credence map model.safetensors graph.npz --iterations 1000000 -o a.csv 2> err &
wait_for $! "has_worked $!"
kill -INT $!
wait $!
grep -Eqx 'interrupted after [0-9]+ of 1000000 iterations: 150 nodes by t-SNE of the latent space, perplexity 30, divergence [0-9.]+' err
[ "$(wc -l < a.csv)" = 151 ]
