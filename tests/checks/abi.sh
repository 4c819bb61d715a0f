#!/bin/sh
# SPDX-License-Identifier: MIT
# abi.sh ROOT BUILD: the interface is the one that tests/abi/libcredence.abi records, and changes of it are noticed.
# Programs that were compiled with an older or a newer header work with the library.
set -eu
export LC_ALL=C
root=$1
build=$2
fail() { echo "abi: $1"; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
header=$root/include/credence.h
record=$root/tests/abi/libcredence.abi
compare() { python3 "$root/tests/abi/layout.py" compare "$1" "$build/libcredence.so" "$record" > "$work/log" 2>&1; }

compare "$header" || { status=$?; cat "$work/log"; exit $status; }

# The page for programmers lists the structures that never grow.
listed=$(sed -n 's/^\(| .*|\) they never grow |$/\1/p' "$root/docs/abi.md" | grep -o 'crd_[a-z_]*' | sort)
fixed=$(sed -n 's/^struct \(crd_[a-z_]*\): .*never grows$/\1/p' "$record")
[ "$listed" = "$fixed" ] || fail "docs/abi.md says that these never grow: $listed; the record says: $fixed"

# changed WORD PATTERN EDIT: a copy of the header, edited by sed, is refused, and the sentence has WORD and PATTERN.
changed() {
    sed -E "$3" "$header" > "$work/credence.h"
    ! cmp -s "$header" "$work/credence.h" || fail "the edit $3 changes nothing"
    ! compare "$work/credence.h" || fail "this edit is not noticed: $3"
    grep -q "^abi: $1: .*$2" "$work/log" || { cat "$work/log"; fail "the edit $3 is not called: $1: ... $2"; }
}
changed break 'crd_control.stop was: bytes 16 ' '/^    int threads; .*$/d; s/^(    const int \*stop;.*)$/\1\n    int threads;/'
changed break 'crd_shift.most_nodes .* uint64_t' 's/^    int64_t most_nodes;/    uint64_t most_nodes;/'
changed break 'crd_generate_options.degree was' 's/^    double degree; /    float degree;/'
changed break 'crd_control.user .* is gone' '/^    void \*user; .* handed to progress/d'
changed break 'crd_status.CRD_ERROR_IO was: 2; is: 3' 's/^(    CRD_ERROR_MEMORY,)/\1 CRD_ERROR_OTHER,/'
changed break 'crd_explanation_count .* is gone' '/^CRD_API int64_t crd_explanation_count/d'
changed break 'crd_model_history_count was' 's/^CRD_API int64_t (crd_model_history_count)/CRD_API int32_t \1/'
changed break 'crd_dataset_label was' 's/^(CRD_API int32_t crd_dataset_label.*)int64_t node/\1int32_t node/'
changed break 'crd_new_call .* does not export' 's/^(CRD_API const char \*crd_)version.*/&\n\1new_call(void);/'
changed break 'CRD_STACK_SIZE was' 's/^(#define CRD_STACK_SIZE) .*/\1 262144/'
changed break 'crd_error.message was' 's/^(#define CRD_MESSAGE_SIZE) .*/\1 800/'
changed break 'crd_writer was' 's/^(typedef bool \(\*crd_writer.*), size_t size/\1, int size/'
# These may not grow: programs give them without their size, or a part of it was padding.
changed break 'crd_failure.more .* without its size' 's/^\} crd_failure;/    double more;\n&/'
changed break 'crd_rejection.more .* among the 48 bytes' 's/^\} crd_rejection;/    int more;\n&/'
# What compiled programs do not notice.
changed addition 'crd_control.more' 's/^\} crd_control;/    int more;\n&/'
changed addition 'crd_info.more' 's/^\} crd_info;/    double more;\n&/'
changed addition 'CRD_SETS_MORE' 's/^(    CRD_SETS_RAPS)/\1, CRD_SETS_MORE/'
changed addition 'CRD_MORE' 's/^#define CRD_STACK_SIZE.*/&\n#define CRD_MORE 1/'
! grep -q 'abi: break' "$work/log" || fail "an addition is called a break"
# Words are free to change.
sed -E 's/const crd_model \*model/const crd_model *of/g; s,/\*.*\*/,/* Other words. */,' "$header" > "$work/credence.h"
compare "$work/credence.h" || { cat "$work/log"; fail "other words in the header are refused"; }

# A break is recorded only with another soname.
sed 's/^    int threads; .*/    long threads;/' "$header" > "$work/credence.h"
cp "$record" "$work/record"
! python3 "$root/tests/abi/layout.py" record "$work/credence.h" "$build/libcredence.so" "$work/record" > "$work/log" 2>&1 ||
    fail "a break is recorded under the same soname"
cmp "$record" "$work/record" || fail "a break is recorded under the same soname"
sed 's/^soname: .*/soname: libcredence.so.0.0/' "$record" > "$work/record"
python3 "$root/tests/abi/layout.py" record "$work/credence.h" "$build/libcredence.so" "$work/record" > "$work/log" ||
    fail "a break is not recorded under another soname"
grep -q 'crd_control.threads: .* long' "$work/record" || fail "the record lacks what is new"

printf '0,1\n1,2\n' > "$work/graph.csv"
for program in old_caller future_caller; do
    cc -std=c11 -Wall -Wextra -pedantic -Werror -fstack-protector-all -I "$root/include" "$root/tests/abi/$program.c" \
        -L "$build" -lcredence -o "$work/$program"
    (cd "$work" && LD_LIBRARY_PATH=$build "./$program") > "$work/log" 2>&1 || { cat "$work/log"; fail "$program fails"; }
done
