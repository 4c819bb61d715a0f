# SPDX-License-Identifier: MIT
# stderr: split: 20/20/60 *: * train, * validation, * test*
# stderr: network 1 of 2  epoch 1  loss *  held-out nodes: loss *, accuracy * %
# stderr: network 2 of 2  epoch 13  loss *  held-out nodes: loss *, accuracy * %
# stderr: network 2 of 2  epoch 24  loss *  held-out nodes: loss *, accuracy * %  best *
# stderr: 2 networks, 24 epochs: accuracy * %, cross-entropy * on [0-9]* nodes held out from the network that answers; * s; model written to out.safetensors
# stderr: its answers rest on a node alone by * %, on nodes near it by * %, on nodes far from it by * %
# stderr: 9 calibration nodes: predict can promise --false-alarms 0.1 or more, and --max-error 0.* or more with confidence 0.9
# stderr: split: 20/20/60 *: * train, * validation, * test*
# stderr: warm-up 1  loss *
# stderr: epoch 12  loss *  validation: cross-entropy *, accuracy * %  best *
# stderr: best epoch * of 12: validation accuracy * %, cross-entropy *; * s; model written to gpn.safetensors
credence train graph.npz -o out.safetensors --split 20/20/60 --max-epochs 12
[ -s out.safetensors ]
credence train graph.npz -o gpn.safetensors --model gpn --split 20/20/60 --max-epochs 12
