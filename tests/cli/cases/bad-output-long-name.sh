# exit: 1
# stderr: credence: *01: cannot write: File name too long
credence train graph.npz -o "$(printf %0250d 1)"
