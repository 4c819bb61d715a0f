# exit: 1
# stderr: credence: bomb.npz:x: announces 314572928 bytes in an archive of 305908, which is out of all proportion
credence info bomb.npz
