# SPDX-License-Identifier: MIT
# For cases that download: serves the folder in.served at $url, and ignores the user's own settings. in.log has the
# requests: path and Range.
unset CREDENCE_DATA CREDENCE_MIRROR XDG_DATA_HOME
HOME=$PWD/in.home no_proxy='*'
export HOME no_proxy
. "$ROOT/tests/cli/downloads.sh"
# "credence fetch arxiv" runs a command that takes the graph graph.npz for arxiv.
if ! command -v credence_one_graph > /dev/null; then
    echo "there is no credence_one_graph beside the command"
    exit 77
fi
mkdir -p in.served in.bin
{
    echo '#!/bin/sh'
    echo 'case $* in "fetch arxiv"*) exec credence_one_graph "$@" ;; esac'
    echo "exec '$(command -v credence)' \"\$@\""
} > in.bin/credence
chmod +x in.bin/credence
PATH=$PWD/in.bin:$PATH
ONE_GRAPH=$PWD/graph.npz
export ONE_GRAPH
: > in.log
http_server in.served in.port in.log &
server=$!
trap 'kill $server 2> /dev/null || :' EXIT
. "$ROOT/tests/cli/wait.sh"
wait_for $server '[ -s in.port ]'
url=http://127.0.0.1:$(cat in.port)

# archive FOLDER [MEMBER FILE...]: packs the OGB folder as in.served/arxiv.zip, as OGB does, and the files after it.
archive() {
    folder=$1
    shift
    for file in $(cd "$folder" && find . -type f | sort -r | sed 's,^\./,,'); do
        set -- "arxiv/$file" "$folder/$file" "$@"
    done
    pack in.served/arxiv.zip "$@"
}

fingerprint() { credence info "$1" --json | grep -Eo '"fingerprint": *"[0-9a-f]{16}"'; }

# The graph as OGB would ship it.
ogb() {
    credence convert graph.npz in.ogb --to ogb
    archive in.ogb
}
