#!/bin/sh
# SPDX-License-Identifier: MIT
# lab.sh ROOT: the laboratory's unit tests pass, the pages and figures follow from the run lines, and a number changed
# by hand, on a page or in a run line, is noticed.
set -eu
export LC_ALL=C PYTHONUTF8=1
command -v python3 > /dev/null || { echo "skipped: python3 is missing"; exit 77; }
cd "$1"
export PYTHONDONTWRITEBYTECODE=1
python3 -m unittest discover -q -s lab/tests
python3 lab/reproduce check

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -R lab docs results "$work"
noticed() { # noticed FILE: the check fails and names the file
    if python3 "$work/lab/reproduce" check 2> "$work/said"; then echo "a change was not noticed: $1"; exit 1; fi
    grep -q "^$1 is not what the run lines give" "$work/said" || { cat "$work/said"; exit 1; }
}
sed 's/91\.4/91.5/' docs/reproduction.md > "$work/docs/reproduction.md"
! cmp -s docs/reproduction.md "$work/docs/reproduction.md" || { echo "the page has no such number: choose another"; exit 1; }
noticed docs/reproduction.md
cp docs/reproduction.md "$work/docs"
sed '1s/$/ 1/' docs/beyond.md > "$work/docs/beyond.md"
noticed docs/beyond.md
cp docs/beyond.md "$work/docs"
python3 "$work/lab/reproduce" check
sed '/"model":"gpn"/s/"auroc":0\.[0-9]/"auroc":0.1/' results/ood/runs.jsonl > "$work/results/ood/runs.jsonl"
noticed docs/reproduction.md
cp results/ood/runs.jsonl "$work/results/ood"
sed 's/cy="58.0"/cy="59.0"/' docs/figures/coraml-lambda.svg > "$work/docs/figures/coraml-lambda.svg"
noticed docs/figures/coraml-lambda.svg
