# exit: 2
# stderr: credence: --features wavelets: expected one of auto, none, rownorm, binary,rownorm, standard
credence train graph.npz -o out.safetensors --features wavelets
