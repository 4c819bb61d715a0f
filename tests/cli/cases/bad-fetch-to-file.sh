# A server does not send us to files of this computer.
# exit: 1
# stderr: credence: arxiv: cannot download http://127.0.0.1:*/tofile/arxiv.zip: Protocol "file" *
. "$ROOT/tests/cli/server.sh"
ogb
credence fetch arxiv --dir in.data --from "$url/tofile"
