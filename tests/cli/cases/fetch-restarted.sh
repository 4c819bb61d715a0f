# SPDX-License-Identifier: MIT
# A server that cannot send the rest of a file sends all of it. If the file has changed in between, its checksum shows
# that, and nothing is kept.
. "$ROOT/tests/cli/server.sh"
ogb
half=$(($(wc -c < in.served/arxiv.zip) / 2))
code=0
credence fetch arxiv -q --data-dir changed --from "$url/changed" 2> err || code=$?
[ $code = 1 ]
grep -Eq 'is not a zip archive|cannot unpack' err
printf '%s\n' "/changed/arxiv.zip -" "/changed/arxiv.zip bytes=$half-" | diff - in.log
[ -z "$(ls -A changed)" ]
: > in.log
mkdir plain
head -c 100 in.served/arxiv.zip > plain/arxiv.part
credence fetch arxiv -q --data-dir plain --from "$url/plain"
[ "$(fingerprint plain/arxiv)" = "$(fingerprint graph.npz)" ]
printf '%s\n' "/plain/arxiv.zip bytes=100-" "/plain/arxiv.zip -" | diff - in.log
# files are resumed, too
mkdir file
head -c 100 in.served/arxiv.zip > file/arxiv.part
credence fetch arxiv -q --data-dir file --from "file://$PWD/in.served"
[ "$(fingerprint file/arxiv)" = "$(fingerprint graph.npz)" ]
[ "$(ls -A file)" = arxiv ]
