# exit: 1
# stderr: credence: class "0" has a single labelled node, which cannot be trained on and held out at once: merge the class with another, remove the label, or give the split in a file
credence train one_node_class.npz -o out.safetensors
