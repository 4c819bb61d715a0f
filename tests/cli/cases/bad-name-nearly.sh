# exit: 1
# stderr: credence: photo: there is no such file and no public graph of this name (did you mean photos\?)
credence info photo
