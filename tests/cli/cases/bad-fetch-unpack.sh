# Archives that would write elsewhere, or are not what they say, are refused, and nothing is left of them. The
# last one is a good folder that lacks its features.
# exit: 1
# stderr: credence: arxiv: http://127.0.0.1:*/good/arxiv.zip: the archive lacks raw/node-feat.csv.gz
. "$ROOT/tests/cli/server.sh"
ogb
echo /etc/passwd > in.file
refused() { # refused WHY MEMBER...: as in.file, behind a good one
    why=$1
    shift
    pack in.served/arxiv.zip arxiv/raw/edge.csv.gz in.ogb/raw/edge.csv.gz "$@"
    if credence fetch arxiv -q --dir in.data --from "$url/good" 2> in.err; then exit 9; fi
    grep -qF "$why" in.err || { cat in.err; exit 9; }
    [ "$(wc -l < in.err)" = 1 ]
    [ -z "$(ls -A in.data)" ]
}
refused "cannot unpack 'arxiv/../../escaped': it would not be inside the folder" arxiv/../../escaped in.file
refused "cannot unpack '/escaped': it would not be inside the folder" /escaped in.file
refused "cannot unpack 'arxiv/..\\escaped': it would not be inside the folder" 'arxiv/..\escaped' in.file
refused "cannot unpack 'escaped': it is beside the folder" escaped in.file
refused "cannot unpack 'other/escaped': it is beside the folder" other/escaped in.file
refused "cannot unpack 'arxiv/raw/link': it is a link" link:arxiv/raw/link in.file
refused "cannot unpack 'arxiv/raw/x': CRC error" crc:arxiv/raw/x in.file
refused "cannot unpack 'arxiv/raw/x': " short:arxiv/raw/x in.file
refused "which is out of all proportion" huge:arxiv/raw/x in.file
refused "another member has its place" arxiv/raw/edge.csv.gz in.file
refused "another member has its place" arxiv/raw/edge.csv.gz/x in.file
[ ! -e escaped ]
[ ! -e in.data/escaped ]
echo "no archive" > in.served/arxiv.zip
credence fetch arxiv -q --dir in.data --from "$url/good" 2> in.err && exit 9
grep -q 'is not a zip archive that can be opened: ' in.err
rm in.ogb/raw/node-feat.csv.gz
archive in.ogb
credence fetch arxiv -q --dir in.data --from "$url/good"
