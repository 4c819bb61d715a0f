# exit: 2
# stderr: credence: neither CREDENCE_DATA nor HOME is set: --dir must say where to; see 'credence fetch --help'
unset CREDENCE_DATA HOME XDG_DATA_HOME
credence fetch photos
