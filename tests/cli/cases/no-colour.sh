# SPDX-License-Identifier: MIT
# Only plain text if the output is not a terminal.
TERM=xterm credence --help > a
TERM=xterm credence info graph.npz >> a
TERM=xterm credence train graph.npz -o out.safetensors --split 20/20/60 --max-epochs 2 2>> a
if grep -q "$(printf '\033')" a; then exit 3; fi
