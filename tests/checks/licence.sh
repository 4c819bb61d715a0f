#!/bin/sh
# SPDX-License-Identifier: MIT
# licence.sh ROOT: every source file says in its first line, or below its #! line, under which licence it is: that of
# LICENSE.
set -u
export LC_ALL=C
cd "$1" || exit 1
head -n 1 LICENSE | grep -qx 'MIT License' || { echo "LICENSE is not the MIT licence; this check knows no other"; exit 1; }
# Everything but what building and testing leave behind.
find . \( -path './build*' -o -path ./.git -o -path ./demo -o -path ./web/node_modules -o -name __pycache__ \) -prune -o \
    -type f -print | sort | awk '
    function source(path) {
        return path ~ /\.(c|h|pyi?|sh|cmake|js|css)$/ || path ~ /(^|\/)(CMakeLists\.txt|Makefile)$/
    }
    {
        path = $0
        line = ""
        if ((getline line < path) < 0) { print path ": it cannot be read"; failures++; next }
        script = line ~ /^#!/
        if (script) getline line < path
        close(path)
        if (!script && !source(path)) next
        files++
        if (line != "# SPDX-License-Identifier: MIT" && line != "/* SPDX-License-Identifier: MIT */") {
            print path ": expected the line SPDX-License-Identifier: MIT at its head, as a comment"
            failures++
        }
    }
    END {
        if (files < 100) { print "only " files + 0 " source files were found"; failures++ }
        exit failures > 0
    }'
