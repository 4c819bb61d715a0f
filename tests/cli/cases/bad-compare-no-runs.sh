# exit: 2
# stderr: credence: compare needs RUNS; see 'credence compare --help'
credence compare --a ours --b gpn
