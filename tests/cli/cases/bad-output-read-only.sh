# A folder or a file that may not be written; root may write everything, so it asks for nothing then.
# exit: 1
# stderr: credence: in.*/out.safetensors: cannot write: folder in.*: *
mkdir in.folder
chmod a-w in.folder
if [ "$(id -u)" = 0 ]; then
    rmdir in.folder
    credence train graph.npz -o in.folder/out.safetensors
fi
credence train graph.npz -o in.folder/out.safetensors
