# exit: 1
# stderr: credence: standard input: the file is empty, expected a graph
credence info - < /dev/null
