# SPDX-License-Identifier: MIT
# Ctrl-C keeps the map so far and writes the page.
# stderr: a.html: * kB, to be opened in a browser; the map is as far as it came
. "$ROOT/tests/cli/wait.sh"
needs_proc
credence report model.safetensors graph.npz --iterations 1000000 -o a.html &
wait_for $! "has_worked $!"
kill -INT $!
wait $!
grep -q '</html>' a.html
