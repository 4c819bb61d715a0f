# exit: 1
# stderr: credence: nowhere: cannot open: No such file or directory
credence compare nowhere --a ours --b gpn
