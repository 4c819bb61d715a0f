# exit: 2
# stderr: credence: *reg-strength*reg-weight*; see 'credence train --help'
credence train graph.npz -o out.safetensors --reg-strength 2e-3 --reg-weight 1e-4
