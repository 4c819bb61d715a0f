# SPDX-License-Identifier: MIT
# stderr: split: *
# stderr: no labelled node validates: training runs for 3 epochs and keeps the last weights; probabilities are not calibrated
# stderr: warm-up 1 *
# stderr: epoch 3  loss *
# stderr: the last of 3 epochs was kept (there are no validation nodes); * s; model written to out.safetensors
credence train graph.npz -o out.safetensors --model gpn --split 50/0/50 --max-epochs 3
