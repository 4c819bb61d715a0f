#!/bin/sh
# SPDX-License-Identifier: MIT
# subproject.sh ROOT: another project adds this one as a subdirectory and links Credence::credence or Credence::static.
# The project, the copy of this one and the build folder are in folders whose names have a space.
set -eu
export LC_ALL=C
root=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "subproject: $1"; exit 1; }

host="$work/a host"
mkdir -p "$host/credence"
for name in CMakeLists.txt cmake include src web; do ln -s "$root/$name" "$host/credence/$name"; done
cp "$root/examples/doubt.c" "$host/doubt.c"
cat > "$host/CMakeLists.txt" << 'end'
cmake_minimum_required(VERSION 3.20)
project(host LANGUAGES C)
add_subdirectory(credence)
add_executable(doubt doubt.c)
target_link_libraries(doubt PRIVATE Credence::credence)
add_executable(doubt_static doubt.c)
target_link_libraries(doubt_static PRIVATE Credence::static)
get_target_property(type_of_static Credence::static TYPE)
get_target_property(type Credence::credence TYPE)
message(STATUS "types: ${type} ${type_of_static}")
if(TARGET credence)
  message(FATAL_ERROR "the command is part of the build")
endif()
if(DEFINED CACHE{BUILD_SHARED_LIBS} AND NOT ASKED)
  message(FATAL_ERROR "BUILD_SHARED_LIBS was chosen for the whole host")
endif()
install(FILES doubt.c DESTINATION share)
end

# Without optimisation and debugging information, because this tests only the build, which takes a while.
build="$work/a build"
if ! { cmake -S "$host" -B "$build" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG= && cmake --build "$build" --parallel 2; } \
    > "$work/log" 2>&1; then
    tail -n 40 "$work/log"
    fail "the host does not build"
fi
grep -q 'types: SHARED_LIBRARY STATIC_LIBRARY' "$work/log" || fail "Credence::credence is not the shared library"
[ -z "$(find "$build" -name 'test_*' -type f)" ] || fail "the tests are part of the build"
for program in doubt doubt_static; do
    "$build/$program" > "$work/$program" || fail "$program fails"
    [ "$(wc -l < "$work/$program")" = 5 ] || fail "$program shows: $(cat "$work/$program")"
done
cmp "$work/doubt" "$work/doubt_static" || fail "the two libraries answer differently"
cmake --install "$build" --prefix "$work/prefix" > "$work/log"
[ "$(find "$work/prefix" -type f)" = "$work/prefix/share/doubt.c" ] ||
    fail "installing the host installs more than its own files: $(find "$work/prefix" -type f)"

# The host project's BUILD_SHARED_LIBS and flags are respected.
if ! cmake -S "$host" -B "$work/b" -DASKED=ON -DBUILD_SHARED_LIBS=OFF -DCMAKE_C_FLAGS=-DHOST_FLAG \
    -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS_RELEASE=-O1 -DCMAKE_EXPORT_COMPILE_COMMANDS=ON > "$work/log" 2>&1; then
    cat "$work/log"
    fail "the host cannot be configured without shared libraries"
fi
grep -q 'types: STATIC_LIBRARY STATIC_LIBRARY' "$work/log" || fail "Credence::credence is not the static library"
commands=$(grep '"command"' "$work/b/compile_commands.json")
[ -z "$(echo "$commands" | grep -v -e -DHOST_FLAG)" ] || fail "CMAKE_C_FLAGS is not used everywhere"
[ -z "$(echo "$commands" | grep -v -e ' -O1 ')" ] || fail "CMAKE_C_FLAGS_RELEASE is not used everywhere"
[ -z "$(echo "$commands" | grep -e '/kernels/hot/' | grep -v -e ' -O3 ')" ] || fail "the hot kernels lack their -O3"
[ -z "$(echo "$commands" | grep -v -e '/kernels/hot/' | grep -e ' -O[23] ')" ] || fail "-O3 is not the hot kernels' alone"
