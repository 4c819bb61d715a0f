# A file that says it is too large is not begun with.
# exit: 1
# stderr: credence: arxiv: cannot download http://127.0.0.1:*/announced/arxiv.zip: the file is too large: it has more than 4294967296 bytes, the most that is taken, so that trying again does not help; nothing was kept
. "$ROOT/tests/cli/server.sh"
ogb
code=0
credence fetch arxiv --dir in.data --from "$url/announced" || code=$?
[ -z "$(ls -A in.data)" ]
[ "$(wc -l < in.log)" = 1 ]
exit $code
