# A file that turns out too large on the way leaves no part that every later command would fail at.
# exit: 1
# stderr: credence: arxiv: cannot download http://127.0.0.1:*/endless/arxiv.zip: the file is too large: it has more than 4294967296 bytes, the most that is taken, so that trying again does not help; nothing was kept
. "$ROOT/tests/cli/server.sh"
ogb
mkdir in.data
# ten bytes before the limit; the file has a hole and takes no room
dd if=/dev/null of=in.data/arxiv.part bs=1 seek=4294967286 2> in.dd
printf '%s\n' "$url/endless/arxiv.zip" '"one"' > in.data/arxiv.part.from
code=0
credence fetch arxiv --dir in.data --from "$url/endless" || code=$?
echo '/endless/arxiv.zip bytes=4294967286- "one"' | diff - in.log
[ -z "$(ls -A in.data)" ]
exit $code
