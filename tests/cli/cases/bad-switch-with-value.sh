# exit: 2
# stderr: credence: --json takes no value, found 'yes'; see 'credence info --help'
credence info graph.npz --json=yes
