# SPDX-License-Identifier: MIT
# Without a terminal: the first epoch, every fiftieth, the last.
# stderr: split: *
# stderr: epoch 1  loss *
# stderr: epoch 50  loss *
# stderr: epoch 100  loss *
# stderr: epoch 110  loss *
# stderr: best epoch *
credence train graph.npz -o out.safetensors --split 20/20/60 --model gpn --warmup 0 --patience 1000 --max-epochs 110
