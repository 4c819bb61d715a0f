# exit: 1
# stderr: credence: nowhere/log: cannot write: folder nowhere: No such file or directory
credence train graph.npz -o out.safetensors --log nowhere/log
