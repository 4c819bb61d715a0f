# SPDX-License-Identifier: MIT
# A log that cannot be written gives one warning; the model is worth more.
# stderr: warning: /dev/full: cannot write: No space left on device; training goes on without the log
credence train graph.npz -o out.safetensors --split 20/20/60 --max-epochs 5 --log /dev/full -q
[ -s out.safetensors ]
