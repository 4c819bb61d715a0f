# exit: 2
# stderr: credence: experiment needs --data; see 'credence experiment --help'
credence experiment ood --out out
