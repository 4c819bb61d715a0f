# exit: 1
# stderr: credence: nowhere: there is no such file or folder
credence report nowhere
