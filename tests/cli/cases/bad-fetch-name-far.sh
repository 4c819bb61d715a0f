# exit: 2
# stderr: credence: no public graph is known as 'zachary'; 'credence fetch --list' shows those that are; see 'credence fetch --help'
credence fetch zachary
