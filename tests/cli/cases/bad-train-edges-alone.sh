# exit: 1
# stderr: credence: in.edges: no node has a label, so there is nothing to learn; give --labels FILE and --node-features FILE, or a folder that has everything
printf 'a,b\nb,c\nc,a\n' > in.edges
credence train in.edges -o out.safetensors
