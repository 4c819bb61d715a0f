# exit: 2
# stderr: credence: --model mlp: expected one of gpn, appnp, vgcn, gkde-gcn, lp, gkde
credence train graph.npz -o out.safetensors --model mlp
