#!/bin/sh
# SPDX-License-Identifier: MIT
# bench.sh ROOT: the benchmarks' statistics, and the comparison of two runs, on hand-worked cases.
set -u
export LC_ALL=C PYTHONUTF8=1
command -v python3 > /dev/null || { echo "skipped: python3 is missing"; exit 77; }
exec python3 "$(dirname "$0")/bench_cases.py" "$1"
