#!/bin/sh
# SPDX-License-Identifier: MIT
# format.sh ROOT: every C and C++ file is formatted as clang-format 14 (Debian 12's) does with .clang-format. Other versions
# break some lines differently, so they cannot check this.
set -u
export LC_ALL=C
cd "$1" || exit 1
for tool in clang-format-14 clang-format ''; do
    [ -n "$tool" ] || { echo "skipped: clang-format 14 is missing; sh scripts/setup.sh format installs it"; exit 77; }
    "$tool" --version 2> /dev/null | grep -q 'version 14\.' && break
done
sources() { find bench cli examples fuzz include src tests \( -name '*.[ch]' -o -name '*.cpp' \) "$@"; }
sources -exec "$tool" --dry-run -Werror {} + 2> /dev/null && exit 0
echo "not as clang-format 14 writes them (clang-format -i FILE does it):"
sources | sort | while read -r file; do
    "$tool" --dry-run -Werror "$file" 2> /dev/null || echo "    $file"
done
exit 1
