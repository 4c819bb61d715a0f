# exit: 2
# stderr: credence: generate: homophily is 2, expected 0 to 1
credence generate -o out.npz --homophily 2
