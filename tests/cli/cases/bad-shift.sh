# exit: 2
# stderr: credence: --shift: the shift "noise:0.1" is not understood: expected the kind bernoulli, normal, rewire or dice, such as bernoulli:0.1 or dice:0.2:isolated; see 'credence evaluate --help'
credence evaluate model.safetensors graph.npz --shift noise:0.1
