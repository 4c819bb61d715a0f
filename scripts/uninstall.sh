#!/bin/sh
# SPDX-License-Identifier: MIT
# uninstall.sh BUILD PREFIX: removes from $DESTDIR/PREFIX exactly what installing BUILD puts there.
# To get the list of files, it installs once more into a temporary folder. So the list is right even if the build folder
# was made again after the installation.
set -eu
build=$1
prefix=$2
target=${DESTDIR:-}
list=$(mktemp -d)
trap 'rm -rf "$list"' EXIT
DESTDIR=$list "${CMAKE:-cmake}" --install "$build" --prefix "$prefix" > /dev/null
(cd "$list" && find . ! -type d) | while read -r file; do
    path=$target/${file#./}
    if [ -e "$path" ] || [ -L "$path" ]; then
        rm -f "$path"
        echo "removed $path"
    fi
done
if [ -z "$target" ] && [ "$(id -u)" = 0 ]; then PATH="$PATH:/sbin:/usr/sbin" ldconfig || true; fi
# Of the folders, only those that belong to us alone are removed.
for folder in "$target$prefix"/lib*/cmake/Credence "$target$prefix"/lib*/*/cmake/Credence \
    "$target$prefix"/share/doc/credence/docs/figures "$target$prefix"/share/doc/credence/docs \
    "$target$prefix"/share/doc/credence; do
    rmdir "$folder" 2> /dev/null || true
done
