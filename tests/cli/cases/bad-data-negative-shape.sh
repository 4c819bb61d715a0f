# exit: 1
# stderr: credence: negative_shape.npz:x: bad .npy header: expected a length below 2^63, found '-12, 3), }          '
credence info negative_shape.npz
