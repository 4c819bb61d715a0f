# exit: 1
# stderr: credence: short_data.npz:x: is cut off: 5 of the 36 items of float32\[12,3\] are there
credence info short_data.npz
