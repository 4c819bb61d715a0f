# exit: 1
# stderr: credence: data_missing.safetensors: tensor 'w': offsets 0 to 16 do not fit 4 numbers of F32 in 4 bytes of data
credence predict data_missing.safetensors graph.npz -o out.csv
