# exit: 1
# stderr: credence: photos: cannot download http://127.0.0.1:*/good/amazon_electronics_photo.npz: the server answers 404, which means that there is no such file
. "$ROOT/tests/cli/server.sh"
code=0
credence fetch photos --dir in.data --from "$url/good" || code=$?
[ -z "$(ls -A in.data)" ]
exit $code
