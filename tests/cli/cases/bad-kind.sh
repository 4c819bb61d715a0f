# exit: 2
# stderr: credence: --kind: expected blocks or toy, found 'grid'; see 'credence generate --help'
credence generate -o out.npz --kind grid
