# exit: 2
# stderr: credence: --activation swish: expected one of relu, gelu, logsigmoid, hardtanh, sigmoid, linear
credence train graph.npz -o out.safetensors --activation swish
