# SPDX-License-Identifier: MIT
# Functions for cases about reports: source it.

# report_block FILE PART NAME: that block of a page, unpacked.
report_block() {
    sed -n "s/.*<script[^>]* data-part=\"$2\" data-name=\"$3\"[^>]*>\([^<]*\)<.*/\1/p" "$1" | base64 -d | gzip -dc
}

# numbers_of NAME: the values of that name in JSON on standard input, one per line, in order.
numbers_of() {
    grep -o "\"$1\": *[^,}]*" | sed 's/.*: *//'
}
