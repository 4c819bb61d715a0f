# exit: 1
# stderr: credence: standard output: cannot write: No space left on device
credence train --help > /dev/full
