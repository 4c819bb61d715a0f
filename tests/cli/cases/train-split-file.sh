# stderr: split: split_good.npz: 3 train, 3 validation, 0 test
# stderr: warm-up 1 *
# stderr: epoch 2 *
# stderr: best epoch *
credence train ring.npz -o out.safetensors --split-file split_good.npz --max-epochs 2
