# exit: 2
# stderr: credence: --warmup 3: the model vgcn has no such option
credence train graph.npz -o out.safetensors --warmup 3 --model vgcn
