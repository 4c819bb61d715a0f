# SPDX-License-Identifier: MIT
# Plots appear by default on a terminal, and only there.
no() { if "$@"; then echo "unexpected: $*"; exit 1; fi; } # `! ...` would not end the script
command -v script > /dev/null || { echo "script is missing"; exit 77; }
on_terminal() { # on_terminal COMMAND: its output on a terminal
    script -qec "$1" /dev/null < /dev/null | tr -d '\r'
}
on_terminal true > /dev/null 2>&1 || { echo "script cannot open a terminal here"; exit 77; }
unset COLUMNS
on_terminal 'stty cols 90; TERM=xterm LC_ALL=C.UTF-8 credence evaluate model.safetensors graph.npz' > a
grep -q 'ROC (epistemic)' a
grep -q "$(printf '\033\\[3[36]m')" a
grep -q '█' a
on_terminal 'stty cols 90; NO_COLOR=1 TERM=xterm LC_ALL=C credence evaluate model.safetensors graph.npz' > b
no grep -v '^[ -~]*$' b
grep -q 'ROC (epistemic)' b
awk '/^How much/ { inside = 1 } inside && length > 90 { exit 1 }' b
credence evaluate model.safetensors graph.npz > plain
for command in 'TERM=dumb credence evaluate model.safetensors graph.npz' \
    'stty cols 39; NO_COLOR=1 TERM=xterm credence evaluate model.safetensors graph.npz' \
    'NO_COLOR=1 TERM=xterm credence evaluate model.safetensors graph.npz --plot never'; do
    on_terminal "$command" > c
    cmp c plain
done
on_terminal 'TERM=xterm credence evaluate model.safetensors graph.npz --json' > d
credence evaluate model.safetensors graph.npz --json | cmp - d
