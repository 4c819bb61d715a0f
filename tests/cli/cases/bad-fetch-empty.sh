# exit: 1
# stderr: credence: dblp: http://127.0.0.1:*/good/dblp.npz is not the file that was expected: its git blob id is e69de29bb2d1d6434b8b29ae775ad8c2e48c5391, expected 3e179a9ebf2968d9ad67544c8978bf4759e489d8; nothing was kept
. "$ROOT/tests/cli/server.sh"
: > in.served/dblp.npz
credence fetch dblp --dir in.data --from "$url/good"
