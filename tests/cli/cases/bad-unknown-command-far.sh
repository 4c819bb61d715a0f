# exit: 2
# stderr: credence: unknown command 'xyzzy'; see 'credence --help'
credence xyzzy
