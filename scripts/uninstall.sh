#!/bin/sh
# uninstall.sh BUILD PREFIX: removes from $DESTDIR/PREFIX exactly what installing BUILD puts there.
# The list comes from installing once more into a folder that is then thrown away, so that it is right
# even when the build folder was made anew since.
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
# Only folders that are ours alone go with the files.
rmdir "$target$prefix"/lib*/cmake/Credence "$target$prefix"/lib*/*/cmake/Credence 2> /dev/null || true
