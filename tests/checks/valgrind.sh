#!/bin/sh
# SPDX-License-Identifier: MIT
# valgrind.sh PROGRAM ARGUMENT...: runs it under Valgrind; a leak, or a read of unset memory, is exit code 99.
set -u
command -v valgrind > /dev/null || { echo "skipped: valgrind is missing"; exit 77; }
[ -r /proc/self/maps ] || { echo "skipped: Valgrind needs /proc"; exit 77; }
exec valgrind -q --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite,indirect \
    --show-leak-kinds=definite,indirect "$@"
