# exit: 1
# stderr: credence: citeseer-planetoid: cannot be downloaded: Planetoid's files are Python pickles, *credence-fetch(1)*
credence fetch citeseer-planetoid --dir in.data
