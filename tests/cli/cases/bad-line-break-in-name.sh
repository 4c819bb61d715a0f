# exit: 1
# stderr: credence: no\?where.npz: cannot open: No such file or directory
credence info 'no
where.npz'
