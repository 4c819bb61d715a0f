# exit: 1
# stderr: credence: graph.npz/data: cannot create the folder: Not a directory
. "$ROOT/tests/cli/downloads.sh"
credence fetch coraml --dir graph.npz/data --from http://127.0.0.1:1
