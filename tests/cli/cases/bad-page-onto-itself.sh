# exit: 2
# stderr: credence: in.template: is both the input and the output
echo One. > in.template
credence page in.template -o in.template
