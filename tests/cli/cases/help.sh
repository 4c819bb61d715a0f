# SPDX-License-Identifier: MIT
# The list of commands, and every way to ask for it.
credence --help
credence -h > a
credence help > b
credence help --help > c
cmp a b
cmp a c
