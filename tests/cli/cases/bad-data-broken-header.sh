# exit: 1
# stderr: credence: broken_header.npz:edges: is cut off (65535 more bytes were expected, 8 are there)
credence info broken_header.npz
