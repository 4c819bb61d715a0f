# exit: 2
# stderr: credence: the split "50/40/30" adds up to 120 %, expected 100 % at most
credence train ring.npz -o out.safetensors --split 50/40/30
