# exit: 1
# stderr: credence: overflowing_shape.npz:x: the shape in the .npy header is impossibly large
credence info overflowing_shape.npz
