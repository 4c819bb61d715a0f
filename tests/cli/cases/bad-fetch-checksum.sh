# What is not the known file is not kept. (The ids are those that "git hash-object" gives.)
# exit: 1
# stderr: credence: coraml: http://127.0.0.1:*/good/cora_ml.npz is not the file that was expected: its git blob id is ce013625030ba8dba906f756967f9e9ca394464a, expected 2df67d57d5c34554a689f8addde7fc3bdf37a415; nothing was kept
. "$ROOT/tests/cli/server.sh"
echo hello > in.served/cora_ml.npz
code=0
credence fetch coraml --dir in.data --from "$url/good" || code=$?
[ -z "$(ls -A in.data)" ]
exit $code
