# exit: 1
# stderr: credence: paperz: there is no such file or folder, and no public graph of this name ('credence fetch --list')
credence train paperz -o out.safetensors
