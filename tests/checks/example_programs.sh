#!/bin/sh
# SPDX-License-Identifier: MIT
# example_programs.sh ROOT BUILD [SANITIZERS]: the programs of examples/ work with an installed copy of the library, built
# with pkg-config and with find_package. SANITIZERS ("address,undefined", "thread") are those of the library.
set -eu
export LC_ALL=C
root=$1
build=$2
sanitizers=${3:-}
fail() { echo "example_programs: $1"; exit 1; }
. "$root/tests/checks/installed.sh"

warnings='-Wall -Wextra -pedantic -Werror'
[ -z "$sanitizers" ] || warnings="$warnings -g -fsanitize=$sanitizers -fno-sanitize-recover=all"
# pkg-config quotes its answers for a shell.
flags=$(pkg-config --cflags --libs credence)
mkdir "$work/by hand"
for name in doubt serve cancel registry; do
    eval "cc -std=c11 $warnings -pthread \"\$root/examples/\$name.c\" $flags -o \"\$work/by hand/\$name\""
done
has_cpp=
if command -v c++ > /dev/null; then has_cpp=doubt_cpp; fi
[ -z "$has_cpp" ] || eval "c++ -std=c++17 $warnings \"\$root/examples/doubt.cpp\" $flags -o \"\$work/by hand/doubt_cpp\""
if ! { cmake -S "$root/examples" -B "$work/by cmake" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_FLAGS="$warnings" \
    -DCMAKE_CXX_FLAGS="$warnings" && cmake --build "$work/by cmake"; } > "$work/log" 2>&1; then
    cat "$work/log"
    fail "the examples do not build with find_package(Credence)"
fi

# The same programs give the same answers, however they were built.
for name in doubt serve cancel registry $has_cpp; do
    for way in hand cmake; do
        LD_LIBRARY_PATH=$prefix/lib "$work/by $way/$name" > "$work/$name.$way" 2> "$work/log" ||
            { cat "$work/$name.$way" "$work/log"; fail "$name, built by $way, fails"; }
    done
    # How far a training is when another thread stops it is a matter of luck.
    [ "$name" = cancel ] || cmp "$work/$name.hand" "$work/$name.cmake" || fail "$name answers differently"
done

# shows NAME FORM COUNT: the program prints so many lines, all of this form.
shows() {
    [ "$(grep -cE "$2" "$work/$1.hand")" = "$3" ] && [ "$(wc -l < "$work/$1.hand")" = "$3" ] ||
        fail "$1 shows: $(cat "$work/$1.hand")"
}
shows doubt '^node [0-9]+: class [A-G] with probability [01]\.[0-9]+, doubt -?[0-9.e-]+$' 5
shows serve '^node 30[0-4]: class [A-G] with probability [01]\.[0-9]+, doubt -?[0-9.e-]+$' 5
shows cancel '^stopped: requested, after [0-9]+ epochs$|^kept: the model of epoch [1-9][0-9]*, right for [0-9]+ % of' 2
[ "$(sed -n 's/.*after \([0-9]*\) epochs/\1/p' "$work/cancel.hand")" -ge 20 ] || fail "nobody waited for 20 epochs"
shows registry '^[0-9a-f]{12}: a (committee of anna|gpn of ben) says that node 0 is of class [A-G]$' 4
[ "$(sort -u "$work/registry.hand" | wc -l)" = 2 ] || fail "threads get different answers from the same model"
if [ -n "$has_cpp" ]; then
    head -n 2 "$work/doubt_cpp.hand" > "$work/trainings"
    printf 'a training ended in its third epoch: not today\nanother one had 100 epochs\n' | cmp - "$work/trainings" ||
        fail "doubt_cpp shows: $(cat "$work/doubt_cpp.hand")"
    # It finds the nodes that doubt finds.
    sed -n 's/\(class [A-G]\).*/\1/p' "$work/doubt.hand" > "$work/found"
    sed -n 's/\(class [A-G]\),.*/\1/p' "$work/doubt_cpp.hand" | cmp - "$work/found" || fail "doubt_cpp finds other nodes"
else
    echo "skipped: there is no C++ compiler for doubt.cpp"
fi
