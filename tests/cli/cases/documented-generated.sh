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
# every manual page belongs to a command
for page in "$ROOT"/man/credence-*.1; do
    command=$(basename "$page" .1)
    credence "${command#credence-}" --help > in.help
done
