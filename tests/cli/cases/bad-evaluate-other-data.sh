# exit: 1
# stderr: credence: the model was trained on other data (fingerprint *, these have *), so its test nodes are not known here: give a split of these data (--split-file FILE) or evaluate every labelled node (--nodes all)
credence generate -o in.npz --nodes 150 --classes 4 --features 40 --lookalikes 1 --words 12 --seed 2
credence evaluate model.safetensors in.npz
