# exit: 2
# stderr: credence: unknown command 'trian' (did you mean 'train'\?); see 'credence --help'
credence trian
