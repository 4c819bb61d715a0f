# exit: 2
# stderr: credence: predict needs MODEL; see 'credence predict --help'
credence predict
