#!/bin/sh
# SPDX-License-Identifier: MIT
# wheel.sh ROOT BUILD: the wheel of the Python package, made from BUILD. The same tree gives the same bytes; what is in it
# is what its labels say; pip installs it without a network where there is nothing but NumPy, and it trains there.
set -eu
export LC_ALL=C PYTHONDONTWRITEBYTECODE=1
root=$(cd "$1" && pwd)
CREDENCE_BUILD=$(cd "$2" && pwd)
export CREDENCE_BUILD
fail() { echo "wheel: $1"; exit 1; }
skip() { echo "skipped: $1"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
command -v python3 > /dev/null || skip "python3 is missing"
grep -q '^CREDENCE_WHEEL_IS_WHOLE:INTERNAL=1$' "$CREDENCE_BUILD/CMakeCache.txt" ||
    skip "jansson and zlib are not here as static libraries: a wheel is for this system only"

wheel() { # wheel FOLDER: makes the wheel there
    mkdir "$work/$1"
    (cd "$root/python" && python3 -c 'import build_backend, sys; build_backend.build_wheel(sys.argv[1])' "$work/$1") \
        > "$work/log" 2>&1 || { cat "$work/log"; fail "the wheel could not be made"; }
}
wheel first
(umask 077 && TZ=Pacific/Auckland wheel second)
file=$(ls "$work/first")
cmp "$work/first/$file" "$work/second/$file" || fail "the same tree gives two wheels"
python3 "$root/tests/checks/wheel.py" "$root" "$work/first/$file"

# An environment with nothing but NumPy, which is the system's: there is no network to get another from.
for python in python3 /usr/bin/python3; do
    numpy=$("$python" -c 'import numpy, pathlib; print(pathlib.Path(numpy.__file__).parent.parent)' 2> /dev/null) &&
        "$python" -m venv --clear "$work/environment" > "$work/log" 2>&1 && break
    numpy=
done
[ -n "$numpy" ] || skip "no python3 has NumPy and can make virtual environments; sh scripts/setup.sh python installs them"
packages=$("$work/environment/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
ln -s "$numpy"/numpy "$numpy"/numpy-* "$packages"
alone=
if unshare --net --map-root-user true 2> /dev/null; then alone="unshare --net --map-root-user"; fi
cd "$work"
unset PYTHONPATH CREDENCE_LIBRARY
for source in "$work/first/$file" "$root/python"; do
    # shellcheck disable=SC2086 # the words of unshare
    $alone environment/bin/pip install --no-index --force-reinstall --no-deps --disable-pip-version-check "$source" \
        > log 2>&1 || { cat log; fail "pip install $source"; }
    environment/bin/pip check --disable-pip-version-check > log || { cat log; fail "pip check"; }
    environment/bin/python "$root/tests/checks/wheel_user.py" "$work" || fail "the package that came from $source"
done
# The notebooks that need nothing but NumPy, cell by cell. Another test runs all of them in Jupyter.
for notebook in 2-which-answers-to-trust 3-new-classes-and-new-nodes; do
    environment/bin/python -c 'import json, sys
cells = json.load(open(sys.argv[1], encoding="utf-8"))["cells"]
exec("\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"))' \
        "$root/python/notebooks/$notebook.ipynb" > log 2>&1 || { cat log; fail "the notebook $notebook"; }
done
echo "$file: installed ${alone:+without a network }beside NumPy alone, from the wheel and from the source"
