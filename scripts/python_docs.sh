#!/bin/sh
# SPDX-License-Identifier: MIT
# python_docs.sh BUILD FOLDER: makes the pages of the Python package in FOLDER/html, with the library in BUILD. A warning
# of Sphinx is an error. The notebooks are executed; one of them is left out if CREDENCE_DATA is not set. SPHINXOPTS has
# more options of sphinx-build.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "$1" && pwd)
mkdir -p "$2"
folder=$(cd "$2" && pwd)
rm -rf "$folder/source" "$folder/html"
mkdir "$folder/source" "$folder/source/notebooks"
cp "$root"/python/docs/* "$folder/source"
cp "$root"/python/notebooks/*.ipynb "$folder/source/notebooks"
export PYTHONDONTWRITEBYTECODE=1 PYDEVD_DISABLE_FILE_VALIDATION=1
export PYTHONPATH="$root/python" CREDENCE_LIBRARY="$build/libcredence.so"
# shellcheck disable=SC2086 # the options are words of their own
"${PYTHON:-/usr/bin/python3}" -m sphinx ${SPHINXOPTS:-} -q -W --keep-going -d "$folder/cache" -b html "$folder/source" "$folder/html"
