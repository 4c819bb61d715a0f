# exit: 2
# stderr: credence: --words has no meaning for --kind toy; see 'credence generate --help'
credence generate -o out.npz --kind toy --words 3
