# exit: 1
# stderr: credence: --json: cannot open: No such file or directory
credence info -- --json
