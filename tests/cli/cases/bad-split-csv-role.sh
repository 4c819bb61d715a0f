# exit: 1
# stderr: credence: in.csv: line 3: the split is "exam", expected train, val, test or none
printf 'node,split\n0,train\n1,exam\n' > in.csv
credence train ring.npz -o out.safetensors --split-file in.csv
