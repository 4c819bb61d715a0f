# SPDX-License-Identifier: MIT
# The only labelled node of a class trains, and the line about the split says so.
# stderr: split: 5/15/80 stratified by class (seed 1), the single node of class 0 trains: * train, * validation, * test
# stderr: network 1 of 2  epoch 1 *
# stderr: network 2 of 2  epoch 3 *
# stderr: network 2 of 2  epoch 4 *
# stderr: 2 networks, 4 epochs: *
# stderr: its answers rest *
# stderr: there are too few validation nodes to hold some out: predict can promise nothing about its answers
credence train one_node_class.npz -o out.safetensors --max-epochs 2
