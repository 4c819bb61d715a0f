# exit: 2
# stderr: credence: no public graph is known as 'corml' (did you mean coraml\?); see 'credence fetch --help'
credence fetch photos corml --dir in.data --from http://127.0.0.1:1
