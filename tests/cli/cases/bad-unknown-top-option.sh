# exit: 2
# stderr: credence: unknown option '--verison' (did you mean '--version'\?); see 'credence --help'
credence --verison
