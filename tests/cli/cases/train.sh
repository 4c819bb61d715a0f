# stderr: split: 20/20/60 *: * train, * validation, * test*
# stderr: warm-up 1  loss *
# stderr: epoch 12  loss *  validation: cross-entropy *, accuracy * %  best *
# stderr: best epoch * of 12: validation accuracy * %, cross-entropy *; * s; model written to out.safetensors
credence train graph.npz -o out.safetensors --split 20/20/60 --max-epochs 12
[ -s out.safetensors ]
