# exit: 1
# stderr: credence: huge_header.safetensors: is not a safetensors file, or is cut off (a header of 1152921504606846976 bytes is announced, 2 bytes follow)
credence predict huge_header.safetensors graph.npz -o out.csv
