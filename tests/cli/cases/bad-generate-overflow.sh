# exit: 2
# stderr: credence: --nodes: expected a whole number from 1 to 2147483647, found '2147483648'; see 'credence generate --help'
credence generate -o out.npz --nodes 2147483648
