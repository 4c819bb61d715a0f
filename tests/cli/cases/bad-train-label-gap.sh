# exit: 1
# stderr: credence: class "1" has no labelled node: number the classes without gaps
credence train label_gap.npz -o out.safetensors
