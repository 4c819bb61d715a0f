# exit: 1
# stderr: credence: broken_json.safetensors: the safetensors header is not good JSON: unexpected token near end of file at byte 5
credence predict broken_json.safetensors graph.npz -o out.csv
