# exit: 1
# stderr: credence: in.bin: line 1: expected the two nodes of an edge, found a single field
printf '\001\002\003\377\376' > in.bin
credence info in.bin
