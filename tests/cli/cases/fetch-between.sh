# SPDX-License-Identifier: MIT
# Ctrl-C between two graphs is a failure: the second one is missing. Standard error is a full pipe, so that the
# command stops where it reports the first download.
. "$ROOT/tests/cli/server.sh"
ogb
mkfifo in.pipe
exec 3<> in.pipe
if ! dd if=/dev/zero bs=512 count=1 oflag=nonblock of=in.pipe 2> in.dd; then
    echo "dd cannot write without waiting"
    exit 77
fi
dd if=/dev/zero bs=512 oflag=nonblock of=in.pipe 2> in.dd || :
credence fetch arxiv arxiv2 --data-dir data --from "$url/good" 2> in.pipe &
fetching=$!
wait_for $fetching '[ -e data/arxiv ]'
kill -INT $fetching
dd bs=65536 count=64 iflag=nonblock if=in.pipe of=in.first 2> in.dd || :
code=0
wait $fetching || code=$?
dd bs=65536 count=64 iflag=nonblock if=in.pipe of=in.rest 2> in.dd || :
cat in.first in.rest | tr -d '\000' > err
[ $code = 1 ] || { echo "exit code $code"; cat err; exit 3; }
grep -qx 'credence: interrupted before arxiv2; the same command goes on from there' err
[ "$(ls -A data)" = arxiv ]
