#!/bin/sh
# SPDX-License-Identifier: MIT
# test.sh: builds everything with warnings as errors, once plain and once with AddressSanitizer and UBSan, and runs every
# test; then builds the library with ThreadSanitizer, and runs the tests of threads and the examples.
# test.sh aarch64: builds everything for AArch64 and runs the unit and command tests under QEMU.
# The last line is "N passed, N failed", with ", N skipped" if some were skipped. The exit code is 1 if any failed.
set -u
cd "$(dirname "$0")/.." || exit 1
cmake=${CMAKE:-cmake}
jobs=${JOBS:-2}
if [ -z "${CREDENCE_DATA:-}" ] && [ -d ../shared/datasets ]; then
    CREDENCE_DATA=$(cd ../shared/datasets && pwd)
    export CREDENCE_DATA
fi
export UBSAN_OPTIONS=print_stacktrace=1
export ASAN_OPTIONS=handle_segv=2:handle_sigbus=2:handle_sigfpe=2 # cmocka would hide where

results=$(mktemp -d) || exit 1
trap 'rm -rf "$results"' EXIT

build() { # build FOLDER OPTION...
    folder=$1
    shift
    echo "building $folder"
    if ! { "$cmake" -S . -B "$folder" -DCREDENCE_WERROR=ON -DCREDENCE_TESTS=ON "$@" &&
        "$cmake" --build "$folder" --parallel "$jobs"; } > "$results/build" 2>&1; then
        tail -n 60 "$results/build"
        echo "building $folder failed"
        echo "0 passed, 1 failed"
        exit 1
    fi
}

run() { # run FOLDER
    echo "testing $1"
    (cd "$1" && ctest --output-on-failure --no-tests=error -j "$jobs" 2>&1) | tee "$results/log" |
        grep -v -e '^ *Start ' -e '^Test project' -e '^$'
    cat "$results/log" >> "$results/all"
    # A run that was cut short must not look like a run without failures.
    grep -q 'tests passed, .* failed out of' "$results/log" ||
        echo "1/1 Test #0: $1 ***broke off" >> "$results/all"
    # Shows why tests, or cases inside a test that passed, were skipped. Those under Valgrind repeat others.
    awk -v build="$1" '/^[0-9]+\/[0-9]+ Testing: / { name = $3 }
        /skipped: / && name !~ /^valgrind_/ {
            sub(/.*skipped: /, "")
            print "skipped in " build ", " name ": " $0
        }' "$1/Testing/Temporary/LastTest.log" >> "$results/skipped"
}

case ${1:-} in
    aarch64)
        sh scripts/sysroot.sh build-aarch64/sysroot || { echo "0 passed, 1 failed"; exit 1; }
        build build-aarch64 -DCMAKE_TOOLCHAIN_FILE="$PWD/cmake/aarch64-linux-gnu.cmake" \
            -DCREDENCE_SYSROOT="$PWD/build-aarch64/sysroot"
        run build-aarch64
        ;;
    *)
        build build-test -DCMAKE_C_FLAGS=-g -DCREDENCE_BENCH=ON
        run build-test
        build build-asan -DCREDENCE_SANITIZE=ON -DCREDENCE_FUZZ=ON
        run build-asan
        # Some kernels give addresses that some versions of ThreadSanitizer cannot live with.
        if echo 'int main(void) { return 0; }' | cc -fsanitize=thread -x c - -o "$results/empty" && "$results/empty"; then
            build build-tsan -DCREDENCE_SANITIZE=thread
            run build-tsan
        else
            echo "skipped in build-tsan: ThreadSanitizer does not work here" >> "$results/skipped"
        fi
        ;;
esac

sort -u "$results/skipped"
awk '/^ *[0-9]+\/[0-9]+ Test +#/ {
        if (/\*\*\*Skipped/) skipped++
        else if (/ Passed /) passed++
        else { failed++; sub(/^.*Test +#[0-9]+: /, ""); print "failed: " $1 }
    }
    END {
        printf "%d passed, %d failed%s\n", passed, failed, skipped ? ", " skipped " skipped" : ""
        exit failed > 0 || passed == 0
    }' "$results/all"
