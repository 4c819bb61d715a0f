# exit: 2
# stderr: credence: unknown format 'xls', expected npz, npy, csv, mtx, ogb or auto
credence convert graph.npz out --to xls
