#!/bin/sh
# Runs the examples of the README and the docs: every block marked `sh`, in one folder, in order.
# usage: readme.sh SOURCE_FOLDER PATH_TO_credence
set -eu
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
echo "the examples of $count pages run"
