# exit: 1
# stderr: credence: in.csv: line 3: node 0 is named twice, as train and as validation
printf 'node,split\n0,train\n0,val\n' > in.csv
credence train ring.npz -o out.safetensors --split-file in.csv
