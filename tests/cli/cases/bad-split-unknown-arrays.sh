# exit: 1
# stderr: credence: ring.npz: has no array "train" but *, whose names say nothing; expected train, val and test, or names like train_mask, val_mask and test_mask
credence train ring.npz -o out.safetensors --split-file ring.npz
