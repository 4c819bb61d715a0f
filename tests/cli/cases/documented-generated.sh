# SPDX-License-Identifier: MIT
# The generated parts of the manual pages and the completions are what `make docs` would write now; a changed word in
# one of them is noticed.
if ! command -v python3 > /dev/null; then
    echo "there is no python3"
    exit 77
fi
mkdir in.root
cp -R "$ROOT/man" "$ROOT/completions" in.root/
chmod -R u+w in.root
python3 "$ROOT/scripts/docs.py" "$(command -v credence)" in.root
diff -r "$ROOT/man" in.root/man
diff -r "$ROOT/completions" in.root/completions
sed 's/Learning rate/Learning speed/' "$ROOT/man/credence-train.1" > in.root/man/credence-train.1
if cmp -s "$ROOT/man/credence-train.1" in.root/man/credence-train.1; then exit 3; fi
python3 "$ROOT/scripts/docs.py" "$(command -v credence)" in.root
cmp "$ROOT/man/credence-train.1" in.root/man/credence-train.1
# the library's manual page and the symbols of its package, too
mkdir in.root/include
cp "$ROOT/include/credence.h" in.root/include/
cp "$ROOT/CHANGELOG.md" in.root/
cp -R "$ROOT/debian" in.root/
chmod -R u+w in.root
python3 "$ROOT/scripts/library_manual.py" in.root
diff -r "$ROOT/man" in.root/man
diff -r "$ROOT/debian" in.root/debian
sed 's/The version of the running library/The version/' "$ROOT/include/credence.h" > in.root/include/credence.h
python3 "$ROOT/scripts/library_manual.py" in.root
if cmp -s "$ROOT/man/libcredence.3" in.root/man/libcredence.3; then exit 3; fi
for name in $(grep -Eo '\bcrd_[a-z0-9_]+\(' "$ROOT/include/credence.h" | sort -u); do
    sed 's/\\-/-/g' "$ROOT/man/libcredence.3" | grep -qF "$name" || { echo "libcredence(3) lacks $name"; exit 3; }
done
if command -v mandoc > /dev/null; then mandoc -T lint -W warning "$ROOT/man/libcredence.3"; fi
if command -v man > /dev/null; then
    man --warnings -l "$ROOT/man/libcredence.3" 2> in.warnings > in.page
    [ ! -s in.warnings ]
fi
# every manual page belongs to a command
for page in "$ROOT"/man/credence-*.1; do
    command=$(basename "$page" .1)
    credence "${command#credence-}" --help > in.help
done
