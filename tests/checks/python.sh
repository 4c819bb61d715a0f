#!/bin/sh
# SPDX-License-Identifier: MIT
# python.sh ROOT BUILD: the tests of the Python package, with the library and the command in BUILD.
set -eu
root=$(cd "$1" && pwd)
build=$(cd "$2" && pwd)
python3 "$root/scripts/python_abi.py" --check
for python in python3 /usr/bin/python3; do
    "$python" -c 'import numpy, pytest' 2> /dev/null && break
    python=
done
if [ -z "$python" ]; then
    echo "skipped: no python3 has NumPy and pytest; sh scripts/setup.sh python installs them"
    exit 77
fi
cd "$root/python"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
code=0
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$root/python CREDENCE=$build/credence CREDENCE_LIBRARY=$build/libcredence.so \
    "$python" -m pytest -q -rs -p no:cacheprovider tests > "$log" || code=$?
sed 's/^SKIPPED \[[0-9]*\] [^ ]*: /skipped: /' "$log"
exit $code
