# SPDX-License-Identifier: MIT
# An archive is unpacked and usable; data on disk are not downloaded again, unless requested.
# stderr: arxiv: downloaded and unpacked, graph and labels verified: data/new/arxiv
# stderr: arxiv: already here, graph and labels verified: data/new/arxiv
# stderr: arxiv: downloaded and unpacked, graph and labels verified: data/new/arxiv
. "$ROOT/tests/cli/server.sh"
ogb
credence fetch arxiv --data-dir data/new --from "$url/good/"
[ "$(fingerprint data/new/arxiv)" = "$(fingerprint graph.npz)" ]
[ "$(ls -A data/new)" = arxiv ]
credence fetch arxiv --data-dir data/new --from "$url/good"
[ "$(wc -l < in.log)" = 1 ]
echo old > data/new/arxiv/old
CREDENCE_DATA=data/new CREDENCE_MIRROR=$url/good credence fetch arxiv --force
[ "$(wc -l < in.log)" = 2 ]
[ "$(ls -A data/new)" = arxiv ]
[ ! -e data/new/arxiv/old ]
# without a given folder, it goes to the usual place for data
XDG_DATA_HOME=$PWD/xdg credence fetch arxiv -q --from "$url/good"
[ -d xdg/credence/arxiv ]
credence fetch arxiv -q --from "file://$PWD/in.served"
[ -d in.home/.local/share/credence/arxiv ]
