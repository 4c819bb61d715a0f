# exit: 2
# stderr: credence: fetch needs a NAME, --all or --list; see 'credence fetch --help'
credence fetch
