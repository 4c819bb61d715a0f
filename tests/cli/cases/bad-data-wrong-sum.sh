# exit: 1
# stderr: credence: wrong_sum.npz:y: cannot unpack the array: CRC error
credence info wrong_sum.npz
