# After a broken connection the download resumes where it was, if the file is the same.
# stderr: arxiv: the connection ended before the file did; trying again in 1 s
# stderr: arxiv: downloaded and unpacked, graph and labels verified: drop/arxiv
# stderr: arxiv: the connection ended before the file did; trying again in 1 s
# stderr: arxiv: downloaded and unpacked, graph and labels verified: dated/arxiv
. "$ROOT/tests/cli/server.sh"
ogb
half=$(($(wc -c < in.served/arxiv.zip) / 2))
for how in drop dated; do
    credence fetch arxiv --data-dir $how --from "$url/$how"
    [ "$(fingerprint $how/arxiv)" = "$(fingerprint graph.npz)" ]
    [ "$(ls -A $how)" = arxiv ]
done
printf '%s\n' "/drop/arxiv.zip - -" "/drop/arxiv.zip bytes=$half- \"one\"" "/dated/arxiv.zip - -" \
    "/dated/arxiv.zip bytes=$half- Sat, 01 Jan 2022 00:00:00 GMT" | diff - in.log
