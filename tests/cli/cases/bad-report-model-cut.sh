# exit: 1
# stderr: credence: in.model: tensor *
head -c 8000 model.safetensors > in.model
credence report in.model graph.npz
