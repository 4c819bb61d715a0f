# exit: 1
# stderr: credence: arxiv: cannot download http://127.0.0.1:*/round/arxiv.zip: Maximum (10) redirects followed
. "$ROOT/tests/cli/server.sh"
ogb
credence fetch arxiv --dir in.data --from "$url/round"
