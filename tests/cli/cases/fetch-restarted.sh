# Bytes of different files are never joined: if the file is not, or may not be, the same, the download starts again.
. "$ROOT/tests/cli/server.sh"
ogb
credence fetch arxiv -q --data-dir weak --from "$url/weak"
[ "$(fingerprint weak/arxiv)" = "$(fingerprint graph.npz)" ]
printf '%s\n' "/weak/arxiv.zip - -" "/weak/arxiv.zip - -" | diff - in.log
: > in.log
half=$(($(wc -c < in.served/arxiv.zip) / 2))
code=0
credence fetch arxiv -q --data-dir changed --from "$url/changed" 2> err || code=$?
[ $code = 1 ]
# the other file is not an archive, which shows that it was downloaded from its beginning
grep -q 'is not a zip archive' err
printf '%s\n' "/changed/arxiv.zip - -" "/changed/arxiv.zip bytes=$half- \"one\"" | diff - in.log
[ -z "$(ls -A changed)" ]
: > in.log
credence fetch arxiv -q --data-dir plain --from "$url/plain"
[ "$(fingerprint plain/arxiv)" = "$(fingerprint graph.npz)" ]
# a part from another address is not resumed either
mkdir other
head -c 100 in.served/arxiv.zip > other/arxiv.part
printf 'http://elsewhere/arxiv.zip\n"one"\n' > other/arxiv.part.from
: > in.log
credence fetch arxiv -q --data-dir other --from "$url/good"
printf '%s\n' "/good/arxiv.zip - -" | diff - in.log
[ "$(ls -A other)" = arxiv ]
