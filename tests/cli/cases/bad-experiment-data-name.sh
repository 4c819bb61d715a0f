# exit: 1
# stderr: credence: corraml: there is no such file and no public graph of this name (did you mean coraml[?])
credence experiment ood --data corraml --models gpn --out out
