# exit: 2
# stderr: credence: --shift: the shift "normal:1.5" is not understood: expected as amount a fraction above 0, up to 1, such as bernoulli:0.1 or dice:0.2:isolated; see 'credence evaluate --help'
credence evaluate model.safetensors graph.npz --shift normal:1.5
