# exit: 1
# stderr: credence: negative_label.npz:y: label 7: label '-2' is negative; expected a class from 0, or -1 where it is unknown
credence info negative_label.npz
