#!/bin/sh
# SPDX-License-Identifier: MIT
# symbols.sh FOLDER HEADER PRIVATE: which symbols libcredence.so and libcredence.a in FOLDER define and call. HEADER
# is credence.h, PRIVATE credence_private.h.
set -u
export LC_ALL=C
folder=$1
header=$2
private=$3
failures=0
complain() {
    echo "$1:"
    echo "$2" | sed 's/^/    /'
    failures=$((failures + 1))
}

# While the major version is 0, any minor version may break programs: both numbers are in the soname, and in the name
# of the symbols' version.
major=$(sed -n 's/^#define CRD_VERSION_MAJOR //p' "$header")
so=$major
[ "$major" != 0 ] || so=0.$(sed -n 's/^#define CRD_VERSION_MINOR //p' "$header")
soname=$(objdump -p "$folder/libcredence.so" | awk '$1 == "SONAME" { print $2 }')
[ "$soname" = "libcredence.so.$so" ] || complain "the soname is not libcredence.so.$so" "$soname"

versioned=$(nm -D --defined-only "$folder/libcredence.so" | awk '$2 != "A" { print $3 }')
exported=$(echo "$versioned" | sed 's/@.*//')
[ -n "$exported" ] || complain "libcredence.so exports nothing" "-"
unversioned=$(echo "$versioned" | grep -vE "^[a-z0-9_]+@@CREDENCE_$so\$")
[ -z "$unversioned" ] || complain "exported by libcredence.so without the version CREDENCE_$so" "$unversioned"
foreign=$(echo "$exported" | grep -v '^crd_')
[ -z "$foreign" ] || complain "exported by libcredence.so without the prefix crd_" "$foreign"

# The shared library exports exactly what credence.h declares.
declared=$(sed -n -e 's/^CRD_API .*[ *]\(crd_[a-z0-9_]*\)(.*/\1/p' \
    -e 's/^CRD_CALL \(crd_[a-z0-9_]*\)(.*/\1/p' "$header")
difference=$(printf '%s\n' "$exported" "$declared" | sort | uniq -u)
[ -z "$difference" ] || complain "either exported or declared in credence.h, but not both" "$difference"

# What credence_private.h declares is only in the static library, for our own programs.
defined=$(nm -g --defined-only "$folder/libcredence.a" | awk 'NF == 3 { print $3 }')
hidden=$(sed -n 's/^[a-zA-Z].*[ *]\(crd_[a-z0-9_]*\)(.*/\1/p' "$private")
[ -n "$hidden" ] || complain "credence_private.h declares nothing" "-"
missing=$(for name in $hidden; do echo "$defined" | grep -qx "$name" || echo "$name"; done)
[ -z "$missing" ] || complain "declared in credence_private.h but not in libcredence.a" "$missing"
shown=$(for name in $hidden; do echo "$exported" | grep -x "$name"; done)
[ -z "$shown" ] || complain "declared in credence_private.h but exported by libcredence.so" "$shown"

foreign=$(nm -g --defined-only "$folder/libcredence.a" | awk 'NF == 3 { print $3 }' | grep -v '^crd_')
[ -z "$foreign" ] || complain "global in libcredence.a without the prefix crd_" "$foreign"

# The static library is for the inside of one program: nothing of it is exported again.
shown=$(objdump -t "$folder/libcredence.a" | awk '$2 == "g" && / (F|O) / && !/ \.hidden / { print $NF }')
[ -z "$shown" ] || complain "not hidden in libcredence.a" "$shown"

# All memory comes from base/memory.c, where crd_set_allocator rules. realpath hands out memory of the C library.
memory='malloc|calloc|realloc|reallocarray|free|strdup|strndup|posix_memalign|aligned_alloc|memalign|valloc|v?asprintf'
taken=$(nm -A -u "$folder/libcredence.a" | awk '{ sub(/^.*libcredence\.a:/, "", $1); print $1, $NF }' |
    grep -E " (__)?($memory|open_memstream|getline|getdelim)(_chk)?\$" |
    grep -vE '^memory\.c\.o: |^folder\.c\.o: free$')
[ -z "$taken" ] || complain "takes or gives memory past base/memory.c" "$taken"

# A library must not end its host or write to its streams.
forbidden='exit|_exit|_Exit|quick_exit|abort|__assert.*|(__)?v?[fd]?printf(_chk)?|puts|putchar'
forbidden="^($forbidden|putc|fputs|fputc|perror|psignal|err|errx|warn|warnx|error|stdout|stderr|setlocale)\$"
for file in libcredence.so libcredence.a; do
    dynamic=
    [ $file = libcredence.a ] || dynamic=-D
    used=$(nm $dynamic -u "$folder/$file" | awk 'NF == 2 { sub(/@.*/, "", $2); print $2 }' |
        grep -E "$forbidden" | sort -u)
    [ -z "$used" ] || complain "used by $file" "$used"
done
exit $((failures > 0))
