# exit: 2
# stderr: credence: --set: 'latnt' is no option of training (did you mean latent\?)
credence experiment misclassification --data graph.npz --set latnt=3 --models gpn --out out
