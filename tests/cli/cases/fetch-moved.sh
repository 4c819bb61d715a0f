# SPDX-License-Identifier: MIT
# Redirects are followed; a busy server is asked again.
# stderr: arxiv: downloaded and unpacked, graph and labels verified: moved/arxiv
# stderr: arxiv: the server answers 503, which is a failure of its own; trying again in 1 s
# stderr: arxiv: downloaded and unpacked, graph and labels verified: busy/arxiv
. "$ROOT/tests/cli/server.sh"
ogb
for how in moved busy; do
    credence fetch arxiv --data-dir $how --from "$url/$how"
    [ "$(fingerprint $how/arxiv)" = "$(fingerprint graph.npz)" ]
done
