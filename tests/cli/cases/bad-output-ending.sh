# exit: 2
# stderr: credence: out.parquet: the ending .parquet is none of .csv, .npz and .jsonl: use one of them, or say the format
credence predict model.safetensors graph.npz -o out.parquet
