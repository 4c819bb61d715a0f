# SPDX-License-Identifier: MIT
# A part that is already the whole file is not downloaded again; one that is too long is wrong and is not kept.
. "$ROOT/tests/cli/server.sh"
ogb
size=$(wc -c < in.served/arxiv.zip)
mkdir data long
cp in.served/arxiv.zip data/arxiv.part
credence fetch arxiv -q --data-dir data --from "$url/good"
echo "/good/arxiv.zip bytes=$((size))-" | diff - in.log
[ "$(fingerprint data/arxiv)" = "$(fingerprint graph.npz)" ]
[ "$(ls -A data)" = arxiv ]
{ cat in.served/arxiv.zip && head -c 70000 /dev/zero; } > long/arxiv.part
code=0
credence fetch arxiv -q --data-dir long --from "$url/good" 2> err || code=$?
[ $code = 1 ]
[ -z "$(ls -A long)" ]
credence fetch arxiv -q --data-dir long --from "$url/good"
[ "$(fingerprint long/arxiv)" = "$(fingerprint graph.npz)" ]
