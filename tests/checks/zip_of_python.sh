#!/bin/sh
# SPDX-License-Identifier: MIT
# zip_of_python.sh ROOT COMMAND: archives that Python's zipfile writes are read, and it reads those of the command.
set -eu
if ! command -v python3 > /dev/null; then
    echo "skipped: there is no python3"
    exit 77
fi
exec python3 -B "$1/tests/checks/zip_of_python.py" "$2"
