# exit: 1
# stderr: credence: nowhere/demo: cannot create the folder: No such file or directory
credence demo -o nowhere/demo
