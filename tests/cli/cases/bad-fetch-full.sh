# Where no more can be written the rest of the download waits.
# exit: 1
# stderr: credence: arxiv: cannot download http://127.0.0.1:*/good/arxiv.zip: cannot write in.data/arxiv.part: File too large; * are kept in in.data/arxiv.part, and the same command goes on from there
. "$ROOT/tests/cli/server.sh"
ogb
(ulimit -f 4 && credence fetch arxiv --dir in.data --from "$url/good")
