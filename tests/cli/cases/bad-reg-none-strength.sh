# exit: 2
# stderr: credence: --reg-strength has no meaning without a regulariser, --reg is none; see 'credence train --help'
credence train graph.npz -o out.safetensors --preset gpn --reg-strength 2e-3
