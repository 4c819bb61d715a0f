# exit: 2
# stderr: credence: --reg-weight has no meaning without a regulariser, --reg is none; see 'credence train --help'
credence train graph.npz -o out.safetensors --reg none --reg-weight 1e-4
