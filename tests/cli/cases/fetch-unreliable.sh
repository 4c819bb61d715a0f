# SPDX-License-Identifier: MIT
# If a server answers with a different range than requested, or with none, the download starts again without a range.
# stderr: arxiv: the server does not send the rest of the file; beginning again
# stderr: arxiv: downloaded and unpacked, graph and labels verified: mixed/arxiv
# stderr: arxiv: the server does not send the rest of the file; beginning again
# stderr: arxiv: downloaded and unpacked, graph and labels verified: unsaid/arxiv
. "$ROOT/tests/cli/server.sh"
ogb
for how in mixed unsaid; do
    mkdir $how
    head -c 100 in.served/arxiv.zip > $how/arxiv.part
    : > in.log
    credence fetch arxiv --data-dir $how --from "$url/$how"
    printf '%s\n' "/$how/arxiv.zip bytes=100-" "/$how/arxiv.zip -" | diff - in.log
    [ "$(fingerprint $how/arxiv)" = "$(fingerprint graph.npz)" ]
    [ "$(ls -A $how)" = arxiv ]
done
