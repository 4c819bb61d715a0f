# SPDX-License-Identifier: MIT
# After a broken connection the download resumes where it was.
# stderr: arxiv: the connection ended before the file did; trying again in 1 s
# stderr: arxiv: downloaded and unpacked, graph and labels verified: drop/arxiv
. "$ROOT/tests/cli/server.sh"
ogb
half=$(($(wc -c < in.served/arxiv.zip) / 2))
credence fetch arxiv --data-dir drop --from "$url/drop"
[ "$(fingerprint drop/arxiv)" = "$(fingerprint graph.npz)" ]
[ "$(ls -A drop)" = arxiv ]
printf '%s\n' "/drop/arxiv.zip -" "/drop/arxiv.zip bytes=$half-" | diff - in.log
