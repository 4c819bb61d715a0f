# exit: 2
# stderr: credence: compare needs --b; see 'credence compare --help'
credence compare somewhere --a ours
