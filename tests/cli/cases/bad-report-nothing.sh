# exit: 2
# stderr: credence: report needs RUN; see 'credence report --help'
credence report
