# exit: 1
# stderr: credence: in.papers: is a folder, expected a model file; the order is MODEL DATA
mkdir in.papers
credence evaluate in.papers model.safetensors
