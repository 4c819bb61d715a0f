# SPDX-License-Identifier: MIT
printf 'node,split\n0,train\n4,train\n8,train\n1,val\n5,validation\n9,valid\n2,test\n' > split.csv
credence train ring.npz -o out.safetensors --split-file split.csv --max-epochs 2 --json -q |
    grep -q '3 train, 3 validation, 1 test'
