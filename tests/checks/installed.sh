# SPDX-License-Identifier: MIT
# For checks that use the library as other programs do: `. installed.sh` installs what is in the folder $build into a
# folder whose name has a space. It sets `work`, a folder that is removed at the end, `stage` and `prefix`, the copy's
# root and its place there. pkg-config finds the copy.
# shellcheck shell=sh disable=SC2154 # the check sets build
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
stage="$work/a stage"
prefix=$stage/opt/credence
DESTDIR=$stage cmake --install "$build" --prefix /opt/credence > "$work/log" || { cat "$work/log"; exit 1; }
PKG_CONFIG_PATH=$prefix/lib/pkgconfig${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
export PKG_CONFIG_PATH
