# exit: 1
# stderr: credence: in.csv: line 3: the data have no node "77", expected a name or a number from 0 to 11
printf 'node,split\n0,train\n77,val\n' > in.csv
credence train ring.npz -o out.safetensors --split-file in.csv
