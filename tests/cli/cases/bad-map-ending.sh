# exit: [12]
# stderr: credence: a.png: the ending .png is none of .csv, .npz and .jsonl: use one of them, or say the format
credence map model.safetensors graph.npz -o a.png
