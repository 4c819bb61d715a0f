#!/bin/sh
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

soname=$(objdump -p "$folder/libcredence.so" | awk '$1 == "SONAME" { print $2 }')
[ "$soname" = libcredence.so.0 ] || complain "the soname is not libcredence.so.0" "$soname"

exported=$(nm -D --defined-only "$folder/libcredence.so" | awk '{ print $3 }')
[ -n "$exported" ] || complain "libcredence.so exports nothing" "-"
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
