# A part that is already the whole file is not downloaded again; one that is too long is.
. "$ROOT/tests/cli/server.sh"
ogb
size=$(wc -c < in.served/arxiv.zip)
mkdir data long
cp in.served/arxiv.zip data/arxiv.part
printf '%s\n' "$url/good/arxiv.zip" '"one"' > data/arxiv.part.from
credence fetch arxiv -q --data-dir data --from "$url/good"
echo "/good/arxiv.zip bytes=$((size))- \"one\"" | diff - in.log
[ "$(fingerprint data/arxiv)" = "$(fingerprint graph.npz)" ]
[ "$(ls -A data)" = arxiv ]
cat in.served/arxiv.zip in.port > long/arxiv.part
printf '%s\n' "$url/good/arxiv.zip" '"one"' > long/arxiv.part.from
credence fetch arxiv -q --data-dir long --from "$url/good"
[ "$(fingerprint long/arxiv)" = "$(fingerprint graph.npz)" ]
