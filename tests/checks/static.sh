#!/bin/sh
# SPDX-License-Identifier: MIT
# static.sh ROOT BUILD: what comes with the library. A program that links the shared library loads no cryptography and no
# second packer; a fully static program can be built, and runs where there is nothing else.
set -eu
export LC_ALL=C
root=$1
build=$2
fail() { echo "static: $1"; exit 1; }
. "$root/tests/checks/installed.sh"
program=$root/tests/support/round_trip.c
good="the same answers"

# pkg-config quotes its answers for a shell.
flags=$(pkg-config --cflags --libs credence)
eval "cc -std=c11 -Wall -Wextra -pedantic -Werror \"\$program\" $flags -o \"\$work/shared\""
[ "$(LD_LIBRARY_PATH=$prefix/lib "$work/shared" "$work/shared.npz")" = "$good" ] || fail "the shared program fails"
# The dynamic loader lists what it would load.
LD_TRACE_LOADED_OBJECTS=1 LD_LIBRARY_PATH=$prefix/lib "$work/shared" > "$work/loaded"
grep -q libcredence "$work/loaded" || fail "the loader does not name libcredence: $(cat "$work/loaded")"
if grep -E 'lib(crypto|ssl|gnutls|zip|bz2|lzma|zstd)' "$work/loaded"; then fail "a program loads these libraries"; fi

echo 'int main(void) { return 0; }' > "$work/empty.c"
if ! cc -static "$work/empty.c" -ljansson -lz -lm -o "$work/empty" 2> "$work/log"; then
    echo "skipped: the C library, jansson and zlib are not all here as static libraries"
    exit 77
fi
flags=$(pkg-config --static --cflags --libs credence)
eval "cc -std=c11 -static \"\$program\" $flags -o \"\$work/static\"" > "$work/log" 2>&1 || { cat "$work/log"; fail "linking"; }
if readelf -l "$work/static" | grep INTERP; then fail "the static program needs a loader"; fi
[ "$("$work/static" "$work/static.npz")" = "$good" ] || fail "the static program fails"
cmp "$work/shared.npz" "$work/static.npz" || fail "the static program writes other bytes"

PATH=$PATH:/usr/sbin:/sbin
mkdir "$work/nothing"
if [ "$(id -u)" != 0 ] || ! cp "$work/empty" "$work/nothing/empty" || ! chroot "$work/nothing" /empty 2> "$work/log"; then
    echo "skipped: only root can try the static program in an empty root folder"
    exit 0
fi
rm "$work/nothing/empty"
cp "$work/static" "$work/nothing/program"
[ "$(chroot "$work/nothing" /program /graph.npz)" = "$good" ] || fail "the static program fails in an empty root folder"
cmp "$work/shared.npz" "$work/nothing/graph.npz" || fail "in an empty root folder it writes other bytes"
