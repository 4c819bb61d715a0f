#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs the examples of the README and the docs: every block marked `sh`, in one folder, in order; and the command
# of every block marked `console`, whose output must begin with what the block shows.
# usage: readme.sh SOURCE_FOLDER PATH_TO_credence
set -eu
export LC_ALL=C
source=$1
command=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
PATH=$(cd "$(dirname "$command")" && pwd):$PATH
export PATH
count=0
for page in "$source/README.md" "$source"/docs/*.md; do
    awk '/^```sh$/ { inside = 1; next } /^```/ { inside = 0 } inside' "$page" > "$work/script"
    [ -s "$work/script" ] || continue
    count=$((count + 1))
    mkdir "$work/$count"
    if ! (cd "$work/$count" && sh -eu "$work/script" > "$work/output" 2>&1); then
        echo "an example of $(basename "$page") fails:"
        tail -n 5 "$work/output"
        exit 1
    fi
done
[ "$count" -gt 0 ] || { echo "no example was found"; exit 1; }

# Numbers may differ a little between instruction sets, and seconds vary: the words must be the same, numbers may
# differ by 2 or by 2 %.
mkdir "$work/console"
awk '/^```console$/ { inside = 1; next } /^```/ { inside = 0 } inside' "$source/README.md" > "$work/shown"
typed=$(sed -n 's/^\$ //p' "$work/shown")
[ "$(printf '%s\n' "$typed" | wc -l)" = 1 ] && [ -n "$typed" ] ||
    { echo "README.md: expected one console block with one command"; exit 1; }
sed '1d' "$work/shown" > "$work/expected"
(cd "$work/console" && sh -c "$typed" > "$work/printed")
head -n "$(wc -l < "$work/expected")" "$work/printed" > "$work/found"
awk '
    function words(line) { gsub(/[0-9]+([.][0-9]+)?/, "N", line); return line }
    function complain() {
        print "README.md shows what \"" typed "\" no longer prints:\n- " shown "\n+ " $0
        exit failed = 1
    }
    FNR == NR { expected[FNR] = $0; next }
    {
        shown = expected[FNR]
        if (words(shown) != words($0)) complain()
        gsub(/[0-9.]+ seconds/, "", shown)
        line = $0
        gsub(/[0-9.]+ seconds/, "", line)
        while (match(shown, /[0-9]+([.][0-9]+)?/)) {
            a = substr(shown, RSTART, RLENGTH) + 0
            shown = substr(shown, RSTART + RLENGTH)
            match(line, /[0-9]+([.][0-9]+)?/)
            b = substr(line, RSTART, RLENGTH) + 0
            line = substr(line, RSTART + RLENGTH)
            apart = a > b ? a - b : b - a
            if (apart > 2 && apart > 0.02 * a) { shown = expected[FNR]; complain() }
        }
        seen++
    }
    END { if (!failed && !seen) { print "README.md: nothing was compared"; exit 1 } }
' typed="$typed" "$work/expected" "$work/found"
echo "the examples of $count pages run, and the console block is what is printed"
