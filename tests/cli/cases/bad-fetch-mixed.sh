# A server that answers with another part than the one asked for is not believed.
# exit: 1
# stderr: credence: arxiv: cannot download http://127.0.0.1:*/mixed/arxiv.zip: the server sends bytes from * on, expected those from * on; * are kept in in.data/arxiv.part, and the same command goes on from there
. "$ROOT/tests/cli/server.sh"
ogb
credence fetch arxiv -q --dir in.data --from "$url/mixed"
