# SPDX-License-Identifier: MIT
# Ctrl-C keeps the part and says so; the same command resumes it. Two downloads at a time do not mix.
# stderr: arxiv: downloaded and unpacked, graph and labels verified: data/arxiv
. "$ROOT/tests/cli/wait.sh"
. "$ROOT/tests/cli/server.sh"
ogb
half=$(($(wc -c < in.served/arxiv.zip) / 2))
credence fetch arxiv --data-dir data --from "$url/slow" 2> err &
fetching=$!
wait_for $fetching '[ -s data/arxiv.part ] && [ "$(wc -c < data/arxiv.part)" -ge $half ]'
code=0
credence fetch arxiv --data-dir data --from "$url/slow" 2> second || code=$?
[ $code = 1 ]
grep -qx 'credence: arxiv: another process is downloading it already, to data/arxiv.part' second
kill -INT $fetching
code=0
wait $fetching || code=$?
[ $code = 1 ]
grep -Eqx "credence: arxiv: cannot download $url/slow/arxiv.zip: interrupted; [0-9.]+ kB are kept in data/arxiv.part, and the same command goes on from there" err
credence fetch arxiv --data-dir data --from "$url/slow"
[ "$(fingerprint data/arxiv)" = "$(fingerprint graph.npz)" ]
tail -n 1 in.log | grep -Eqx '/slow/arxiv.zip bytes=[1-9][0-9]*-'
[ "$(ls -A data)" = arxiv ]
