# exit: 2
# stderr: credence: --from: expected an address that begins with https://, http:// or file://, found 'ftp://there'; see 'credence fetch --help'
credence fetch photos --from ftp://there
