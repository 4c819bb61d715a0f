#!/bin/sh
# SPDX-License-Identifier: MIT
# fuzz.sh [TARGET...]: fuzzes the targets in turn, one minute each, until one finds something or you stop it.
# It uses Clang's libFuzzer if it is installed, and our own driver if not. Useful inputs are kept in build-fuzz/corpus.
set -eu
cd "$(dirname "$0")/.."
cmake=${CMAKE:-cmake}
seconds=${SECONDS_EACH:-60}
build="build-fuzz"
libfuzzer=OFF
probe=$(mktemp -d)
trap 'rm -rf "$probe"' EXIT
echo 'int LLVMFuzzerTestOneInput(const char *d, long n) { return !d && n; }' > "$probe/probe.c"
if clang -fsanitize=fuzzer,address "$probe/probe.c" -o "$probe/probe" > /dev/null 2>&1; then
    libfuzzer=ON
    export CC=clang
fi
# CMake cannot change the compiler of an existing build folder, so the folder is configured again.
cache=$build/CMakeCache.txt
if [ -e $cache ] && ! grep -q "^CREDENCE_LIBFUZZER:BOOL=$libfuzzer\$" $cache; then
    rm -rf $cache $build/CMakeFiles
fi
"$cmake" -S . -B $build -DCREDENCE_SANITIZE=ON -DCREDENCE_FUZZ=ON -DCREDENCE_LIBFUZZER=$libfuzzer > /dev/null
"$cmake" --build $build --parallel "${JOBS:-2}" > "$probe/log" 2>&1 || { cat "$probe/log"; exit 1; }

if [ $# = 0 ]; then
    for source in fuzz/fuzz_*.c; do set -- "$@" "$(basename "$source" .c)"; done
fi
round=1
while :; do
    for target; do
        if [ $libfuzzer = ON ]; then
            corpus=$build/corpus/$target
            if [ ! -d "$corpus" ]; then
                mkdir -p "$corpus"
                $build/"$target"_driver -dump="$corpus"
            fi
            if ! $build/"$target" -max_total_time="$seconds" -max_len=65536 \
                -artifact_prefix="$build/crash-$target-" "$corpus" > "$build/$target.log" 2>&1; then
                tail -n 60 "$build/$target.log"
                exit 1
            fi
            echo "$target, round $round: $(grep -o 'Done .*' "$build/$target.log"), nothing found"
        else
            (cd $build && ./"$target" -seconds="$seconds" -seed=$round)
        fi
    done
    round=$((round + 1))
done
