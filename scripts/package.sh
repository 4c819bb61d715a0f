#!/bin/sh
# SPDX-License-Identifier: MIT
# package.sh [FOLDER]: builds the Debian packages into FOLDER (build-package). It works on a copy of the tree as it is,
# committed or not, with or without git, and leaves nothing else behind. The same tree gives the same packages.
set -eu
cd "$(dirname "$0")/.."
folder=${1:-build-package}
jobs=${JOBS:-2}
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
version=$(dpkg-parsechangelog -S Version)
work=$folder/work
copy=$work/credence-$version
rm -rf "$work"
mkdir -p "$copy"
# What a build leaves in a tree is not part of it; results/ is large, and no package needs it.
tar -c --exclude=./.git --exclude='./build*' --exclude=./demo --exclude=./results --exclude=./web/node_modules \
    --exclude=__pycache__ . | tar -x -C "$copy"

# The packages must not depend on who builds them, nor on the make that called this.
unset MAKEFLAGS MFLAGS MAKELEVEL DESTDIR SOURCE_DATE_EPOCH
umask 022
echo "building the packages of Credence $version"
if ! (cd "$copy" && LC_ALL=C.UTF-8 DEB_BUILD_OPTIONS="${DEB_BUILD_OPTIONS:+$DEB_BUILD_OPTIONS }parallel=$jobs" \
    dpkg-buildpackage --build=binary --no-sign) > "$folder/build.log" 2>&1; then
    tail -n 20 "$folder/build.log" | cut -c 1-200 >&2
    echo "package: the build failed; all it said is in $folder/build.log" >&2
    exit 1
fi
rm -f "$folder"/*.deb "$folder"/*.changes "$folder"/*.buildinfo
mv "$work"/*.deb "$work"/*.changes "$work"/*.buildinfo "$folder"
rm -rf "$work"
for package in "$folder"/*.deb; do echo "$package"; done
