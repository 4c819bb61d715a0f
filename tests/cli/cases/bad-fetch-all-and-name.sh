# exit: 2
# stderr: credence: --all and 'photos' contradict each other; see 'credence fetch --help'
credence fetch photos --all
