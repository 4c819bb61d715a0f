# A link into a folder that is not there is found before any work.
# exit: 1
# stderr: credence: nowhere/new.safetensors: cannot write: folder nowhere: No such file or directory
ln -s nowhere/new.safetensors in.link
credence train graph.npz -o in.link
