# exit: 2
# stderr: credence: no command was given; see 'credence --help'
credence
