# exit: 1
# stderr: credence: all 90 labelled test nodes are of the model's classes: detecting others needs nodes of classes that it was not trained on (left-out classes)
credence evaluate full.safetensors graph.npz --task ood
