#!/bin/sh
# SPDX-License-Identifier: MIT
# architecture.sh ROOT: data flows one way. A folder of src includes only headers of the folders it may use. The
# command includes only credence.h, credence_private.h and base/ of the library.
set -u
export LC_ALL=C
cd "$1" || exit 1
failures=0
complain() {
    echo "$1"
    failures=$((failures + 1))
}

# Each folder, and the folders it may use.
allowed() {
    case $1 in
        base) echo base ;;
        io) echo base io ;;
        graph) echo base io graph ;;
        kernels) echo base kernels ;;
        uncertainty) echo base uncertainty ;;
        models) echo base io graph kernels uncertainty models ;;
        answers) echo base io graph kernels uncertainty models answers ;;
        train) echo base io graph kernels uncertainty models answers train ;;
        tsne) echo base kernels tsne ;;
        report) echo base io graph kernels models train uncertainty tsne answers report ;;
    esac
}

for path in src/*/; do
    folder=$(basename "$path")
    folders=$(allowed "$folder")
    [ -n "$folders" ] || complain "src/$folder: tests/checks/architecture.sh does not know this folder"
    pattern="credence(_private)?\\.h|($(echo "$folders" | tr ' ' '|'))/[^\"]*"
    found=$(grep -rnE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' "$path" | grep -vE "\"($pattern)\"")
    [ -z "$found" ] || complain "src/$folder may include only: $folders; but
$found"
done

found=$(for source in cli/*.[ch] cli/runs/*.[ch]; do
    sed -n 's/^[[:space:]]*#[[:space:]]*include[[:space:]]*"\(.*\)".*/\1/p' "$source" |
        while read -r header; do
            case $header in
                credence.h | credence_private.h) continue ;;
                base/*) [ -e "src/$header" ] && continue ;;
                *) [ -e "cli/$header" ] && continue ;;
            esac
            echo "$source: $header"
        done
done)
[ -z "$found" ] || complain "of the library cli may include only credence.h, credence_private.h and base/; but
$found"

# Files must be short enough for a reader to hold in mind.
long=$(find src cli fuzz web/src web/test \( -name '*.[ch]' -o -name '*.js' \) -exec wc -l {} + |
    awk '$2 != "total" && $1 > 600')
[ -z "$long" ] || complain "files of more than 600 lines:
$long"
exit $((failures > 0))
