# SPDX-License-Identifier: MIT
# Every command has its own help, however it is requested and whatever else is on the line.
for command in $(credence --help | sed -n "s/^  \([a-z][a-z]*\) .*/\1/p"); do
    credence $command --help > a
    credence help $command > b
    cmp a b
    head -n 1 a | grep -q "^Usage: credence $command "
    grep -q '  -h, --help  ' a
    credence $command -h --no-such-option > c
    cmp a c
done
