# SPDX-License-Identifier: MIT
# stderr: split: split_good.npz: 3 train, 3 validation, 0 test
# stderr: network 1 of 2  epoch 1 *
# stderr: network 2 of 2  epoch 3 *
# stderr: network 2 of 2  epoch 4 *
# stderr: 2 networks, 4 epochs: *
# stderr: its answers rest *
# stderr: there are too few validation nodes to hold some out: predict can promise nothing about its answers
credence train ring.npz -o out.safetensors --split-file split_good.npz --max-epochs 2
