# SPDX-License-Identifier: MIT
# Every format holds the same graph.
fingerprint() { credence info "$1" --json | grep -Eo '"fingerprint": *"[0-9a-f]{16}"'; }
expected=$(fingerprint graph.npz)
for format in npz npy csv mtx ogb; do
    credence convert graph.npz out.$format --to $format
    [ "$(fingerprint out.$format)" = "$expected" ]
    credence convert out.$format back.$format.npz
    [ "$(fingerprint back.$format.npz)" = "$expected" ]
done
credence convert graph.npz - > piped.npz
[ "$(fingerprint piped.npz)" = "$expected" ]
credence convert graph.npz -o with.npz
[ "$(fingerprint with.npz)" = "$expected" ]
credence convert --output=with.csv --to csv graph.npz
[ "$(fingerprint with.csv)" = "$expected" ]
credence convert graph.npz folder/
[ -d folder ]
