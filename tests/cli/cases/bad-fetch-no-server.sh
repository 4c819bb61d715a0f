# exit: 1
# stderr: credence: arxiv: cannot download http://127.0.0.1:*/good/arxiv.zip: Failed to connect to 127.0.0.1 port *
. "$ROOT/tests/cli/server.sh"
kill $server
wait $server 2> /dev/null || :
code=0
credence fetch arxiv --dir in.data --from "$url/good" || code=$?
[ -z "$(ls -A in.data)" ]
exit $code
